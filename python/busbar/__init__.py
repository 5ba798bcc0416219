# SPDX-License-Identifier: Apache-2.0
"""Reads busbar's records (JSON Lines) into pandas data frames. Units are in the names of columns and in
`frame.attrs["units"]`. Nothing is measured or computed here: figures and intervals are those of the records."""

from ._frames import columns, read, read_ranks, read_rounds, read_samples
from ._journal import RecordError, Run, load

__all__ = ["RecordError", "Run", "columns", "load", "read", "read_ranks", "read_rounds", "read_samples"]

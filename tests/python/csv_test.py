#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""busbar.read() has the columns of `busbar export --format csv`, with the same values, and finds every value of FULL, a record
with every key set. Skipped without pandas.

usage: csv_test.py BUSBAR FULL RECORD...
"""
import io
import pathlib
import subprocess
import sys

try:
    import pandas as pd
except ImportError:
    print("skipped: no pandas")
    sys.exit(77)

import busbar

GRADED = ["grade", "doubts"]  # computed by busbar from several keys; records do not have them


def text_of(value) -> str:
    """A cell as the CSV has it."""
    if pd.isna(value):
        return ""
    if pd.api.types.is_bool(value):
        return str(bool(value)).lower()
    return value if isinstance(value, str) else repr(float(value))


def same(mine, other: str) -> bool:
    text = text_of(mine)
    if text == other or "'" + text == other:  # a spreadsheet would take it for a formula
        return True
    try:
        return float(text) == float(other)
    except ValueError:
        return False


def problems(program: str, record: pathlib.Path) -> list[str]:
    exported = subprocess.run([program, "export", record, "--format", "csv"], check=True, capture_output=True, text=True).stdout
    csv = pd.read_csv(io.StringIO(exported), dtype=str, keep_default_na=False)
    frame = busbar.read(record)
    names = [name for name in csv.columns if name not in ["labels", *GRADED]]
    listed = busbar.columns().dropna(subset=["csv"]).sort_values("csv").name.tolist()
    found = [] if [name for name in listed if name != "label"] == names else [f"columns of the CSV are {names}, not {listed}"]
    if len(csv) != len(frame):
        return [*found, f"{record}: {len(csv)} rows of CSV, {len(frame)} in the frame"]
    for name in names:
        for row, (mine, other) in enumerate(zip(frame[name], csv[name])):
            if not same(mine, other):
                found.append(f"{record}, row {row}, {name}: CSV {other!r}, frame {mine!r}")
    return found


def unread(full: str) -> list[str]:
    """Columns without a value in a record with every key set."""
    frame = busbar.read(full, more=busbar.columns().name)
    rows = [read(full) for read in (busbar.read_rounds, busbar.read_ranks, busbar.read_samples)]
    return [f"{full}: no {name}" for table in [frame, *rows] for name in table.columns[table.isna().all()]]


def main(program: str, full: str, *records: str) -> int:
    found = unread(full) + [problem for record in [full, *records] for problem in problems(program, pathlib.Path(record))]
    print("\n".join(found[:20]) or f"{len(records)} records are the same")
    return 1 if found or not records else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0
"""Settings of memory allocators in a process's environment."""
from collections.abc import Mapping

# glibc: large blocks come from the heap, which is never trimmed.
KEEP_MEMORY = ("MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=100000000000")

# MALLOC_: glibc, and jemalloc's MALLOC_CONF.
PREFIXES = ("MALLOC_", "JEMALLOC_", "TCMALLOC_", "MIMALLOC_")
NAMES = ("LD_PRELOAD", "GLIBC_TUNABLES")


def allocator_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that choose or tune an allocator, sorted by name."""
    return {name: environment[name] for name in sorted(environment) if name.startswith(PREFIXES) or name in NAMES}

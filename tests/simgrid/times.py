#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares simulated times with golden ones, so that a faster simulation cannot change them unnoticed.

usage: times.py GOLDEN BIN WORK [--write]: simulates what GOLDEN lists. --write puts the times of these programs there.

A simulated clock counts whole nanoseconds, and where a call starts decides how its time is rounded: 1 ns may differ.
Another version of SimGrid may choose other algorithms: exit code 77 (skipped).
"""
import json
import pathlib
import shlex
import subprocess
import sys

MOST_S = 1.001e-9
SKIPPED = 77


def simulate(words: str, programs: pathlib.Path, work: pathlib.Path) -> tuple[str, dict[str, float]]:
    """The version of SimGrid and the time of each case, by id."""
    program, *rest = shlex.split(words)
    record = work / "times.jsonl"
    subprocess.run([programs / program, "--platform", work / "fat.xml", *rest, "--overwrite", "--out", record],
                   check=True, stdout=subprocess.DEVNULL)
    head, *cases = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return head["simulation"]["version"], {c["id"]: c["rounds"][0]["median_s"] for c in cases if c.get("rounds")}


def differences(words: str, golden: dict[str, float], now: dict[str, float]) -> list[str]:
    found = [f"{words}: {case}: {'only' if case in now else 'not'} in this run" for case in sorted(golden.keys() ^ now.keys())]
    return found + [f"{words}: {case}: {now[case]} s instead of {golden[case]} s"
                    for case in sorted(golden.keys() & now.keys()) if abs(golden[case] - now[case]) > MOST_S]


def main() -> int:
    golden_file, programs, work = map(pathlib.Path, sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    golden = json.loads(golden_file.read_text(encoding="utf-8"))
    subprocess.run([programs / "busbar", "platform", *shlex.split(golden["platform"]), "-o", work / "fat.xml"], check=True,
                   stdout=subprocess.DEVNULL)
    found: list[str] = []
    for words, times in golden["times"].items():
        version, now = simulate(words, programs, work)
        if "--write" in sys.argv:
            golden["simgrid"], golden["times"][words] = version, now
        elif version != golden["simgrid"]:
            print(f"the times are those of SimGrid {golden['simgrid']}, not {version}")
            return SKIPPED
        else:
            found += differences(words, times, now)
    if "--write" in sys.argv:
        golden_file.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

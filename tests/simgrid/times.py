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

MOST_NS = 1
SKIPPED = 77


def simulate(words: str, programs: pathlib.Path, work: pathlib.Path) -> tuple[str, dict[str, int]]:
    """The version of SimGrid, and the time of each case in nanoseconds, by id."""
    program, *rest = shlex.split(words)
    record = work / "times.jsonl"
    subprocess.run([programs / program, "--platform", work / "fat.xml", *rest, "--overwrite", "--out", record],
                   check=True, stdout=subprocess.DEVNULL)
    head, *cases = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    times = {c["id"]: round(c["rounds"][0]["median_s"] * 1e9) for c in cases if c.get("rounds")}
    return head["simulation"]["version"], dict(sorted(times.items()))


def differences(words: str, golden: list[int], now: dict[str, int]) -> list[str]:
    if len(golden) != len(now):
        return [f"{words}: {len(now)} cases instead of {len(golden)}"]
    return [f"{words}: {case}: {ns} ns instead of {before}" for before, (case, ns) in zip(golden, now.items())
            if abs(before - ns) > MOST_NS]


def write(golden: dict, path: pathlib.Path) -> None:
    """A line for each command, and one for its times in the order of the ids."""
    rows = ",\n".join(f"  {json.dumps(words)}:\n    {json.dumps(times)}" for words, times in golden["times_ns"].items())
    path.write_text(f'{{\n "platform": {json.dumps(golden["platform"])},\n "simgrid": {json.dumps(golden["simgrid"])},\n'
                    f' "times_ns": {{\n{rows}\n }}\n}}\n', encoding="utf-8")


def main() -> int:
    golden_file, programs, work = map(pathlib.Path, sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    golden = json.loads(golden_file.read_text(encoding="utf-8"))
    subprocess.run([programs / "busbar", "platform", *shlex.split(golden["platform"]), "-o", work / "fat.xml"], check=True,
                   stdout=subprocess.DEVNULL)
    found: list[str] = []
    for words, times in golden["times_ns"].items():
        version, now = simulate(words, programs, work)
        if "--write" in sys.argv:
            golden["simgrid"], golden["times_ns"][words] = version, list(now.values())
        elif version != golden["simgrid"]:
            print(f"the times are those of SimGrid {golden['simgrid']}, not {version}")
            return SKIPPED
        else:
            found += differences(words, times, now)
    if "--write" in sys.argv:
        write(golden, golden_file)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command and compares its exit code and output with what is expected.

expect.py [--exit N[,N]...] [--match RE...]... [--absent RE...]... [--times N:RE...]... [--remove PATH...]... -- COMMAND...

--match: RE is found in the output; --absent: it is not; --times: it is found exactly N times. Output is standard
output and then standard error, apart, since a launcher mixes them in the middle of lines. --remove: delete this file before the command starts.
"""
import argparse
import pathlib
import re
import subprocess
import sys


def main() -> int:
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--exit", default="0")
    parser.add_argument("--match", action="extend", nargs="*", default=[])
    parser.add_argument("--absent", action="extend", nargs="*", default=[])
    parser.add_argument("--times", action="extend", nargs="*", default=[])
    parser.add_argument("--remove", action="extend", nargs="*", default=[])
    want = parser.parse_args(sys.argv[1:split])
    for path in want.remove:
        pathlib.Path(path).unlink(missing_ok=True)

    run = subprocess.run(sys.argv[split + 1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    output = (run.stdout + run.stderr).decode(errors="replace")
    count = lambda pattern: len(re.findall(pattern, output, re.MULTILINE))
    problems = []
    if str(run.returncode) not in want.exit.split(","):
        problems.append(f"exit code {run.returncode}, expected {want.exit}")
    problems += [f"not found: {p}" for p in want.match if count(p) == 0]
    problems += [f"found but should not be: {p}" for p in want.absent if count(p) > 0]
    for item in want.times:
        number, pattern = item.split(":", 1)
        if count(pattern) != int(number):
            problems.append(f"found {count(pattern)} times, expected {number}: {pattern}")
    if problems:
        print("\n".join(problems) + "\n--- output:\n" + output)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

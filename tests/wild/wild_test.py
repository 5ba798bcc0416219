#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports every log of the corpus and compares the records with facts.json, figure by figure.

    wild_test.py BUSBAR            prints counts per format, fails if a record is wrong
    wild_test.py BUSBAR --also DIR logs of another folder too, with what read_tables.py reads of them

Outcomes of a log:
  right    every figure and fact of the records is in the log, and every one of the log in a record
  flagged  the same, or some are left out, and a warning says that something is not sure
  refused  no record, and one line that says why
  WRONG    a figure or fact that the log does not have, or one left out without a warning
"""
import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

import compare
import read_tables


def logs_below(folder):
    """Logs of any folder, in the form of the corpus."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file() and path.stat().st_size < 4_000_000:
            text = path.read_bytes().decode("utf-8", errors="replace")
            yield {"name": str(path), "pack": "also", "args": ["--ranks", "8"] if re.search("# OSU MPI (All|Ba|Non)", text) else [],
                   "file": path.name, "text": text}


def write_logs(logs, folder):
    """Writes each log; gives pairs of log and path."""
    pairs = []
    for i, log in enumerate(logs):
        path = folder / f"{i:05d}.{log['file']}"
        path.write_text(log["text"], encoding="utf-8")
        pairs.append((log, path))
    return pairs


def outcomes_of(busbar, pairs, folder):
    """Outcome of each path. Logs with equal options are imported by one command."""
    by_args = collections.defaultdict(list)
    for log, path in pairs:
        by_args[tuple(log["args"])].append(path)
    outcomes = {}
    for i, (args, paths) in enumerate(by_args.items()):
        outcomes.update(compare.import_logs(busbar, paths, args, folder / f"records{i}"))
    return outcomes


def verdict_of(log, runs, outcome):
    verdict, why = compare.judge(runs, log["args"], outcome, partial=bool(outcome["warnings"]))
    if verdict == "missing":
        return ("flagged", why) if outcome["warnings"] else ("WRONG", ["dropped silently: " + w for w in why])
    if verdict == "right" and outcome["warnings"]:
        return "flagged", outcome["warnings"]
    return verdict, why


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("busbar")
    parser.add_argument("--also", help="folder with more logs")
    parser.add_argument("-v", "--verbose", action="store_true", help="print why a log is flagged or refused")
    options = parser.parse_args()
    facts = json.loads((read_tables.HERE / "facts.json").read_text(encoding="utf-8"))
    logs = list(read_tables.corpus())
    for log in logs_below(options.also) if options.also else []:
        facts[log["name"]] = read_tables.read(log["text"], log["file"])
        logs.append(log)
    counts = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        pairs = write_logs(logs, pathlib.Path(folder))
        outcomes = outcomes_of(options.busbar, pairs, pathlib.Path(folder))
        for log, path in pairs:
            verdict, why = verdict_of(log, facts[log["name"]], outcomes[str(path)])
            counts[log["pack"]][verdict] += 1
            if verdict == "WRONG" or options.verbose and verdict != "right":
                print(f"{verdict}: {log['name']}")
                for line in why[:5]:
                    print(f"    {line}")
    for pack, of_pack in counts.items():
        print(f"{pack}: " + ", ".join(f"{of_pack[v]} {v}" for v in ("right", "flagged", "refused", "WRONG")))
    sys.exit(any(c["WRONG"] for c in counts.values()))


if __name__ == "__main__":
    main()

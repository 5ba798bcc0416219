#!/usr/bin/env python3
"""Checks reports/expected/known: every number of a row stands in the line that the row quotes, and words are known. Where
another line of the source has the size, the row quotes that as bytes_line.

usage: known_results_test.py FOLDER
"""
import json
import pathlib
import re
import sys

COLLECTIVES = {"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce", "alltoall", "sendrecv", "gather", "scatter"}
NETWORKS = {None, "InfiniBand EDR", "InfiniBand HDR", "InfiniBand NDR", "InfiniBand XDR", "InfiniBand", "RoCE", "EFA", "Slingshot",
            "Ethernet", "Omni-Path", "Tofu", "NVLink"}
INSIDE = {None, "NVLink", "NVLink+NVSwitch", "PCIe", "xGMI", "shared memory", "Gaudi RoCE", "Xe Link"}
STATES = {"normal", "problem", "threshold"}
FIGURES = ("bytes", "time_us", "algbw_GBps", "busbw_GBps")
UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def numbers(line: str) -> set[float]:
    """All numbers of a line, those with a unit of bytes also in bytes (binary and decimal)."""
    found = set()
    for text, unit in re.findall(r"(\d+(?:[,'_]\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*([kmgtKMGT]?)(?=i?[bB]?(?:ytes?)?)", line):
        value = float(re.sub("[,'_]", "", text))
        power = UNITS[unit.lower()]
        found |= {value, value * power, value * 1000 ** list(UNITS).index(unit.lower()), value * 2**20, value * 2**30}
    return found


def problems_of_row(row: dict) -> list[str]:
    wrong = []
    if row["collective"] not in COLLECTIVES:
        wrong.append(f"collective {row['collective']}")
    if all(row.get(name) is None for name in FIGURES[1:]):
        wrong.append("no figure")
    if not row["line"] or len(row["line"]) > 200:
        wrong.append(f"line of {len(row['line'])} characters")
    for name in FIGURES:
        value = row.get(name)
        seen = numbers(row.get("bytes_line", row["line"]) if name == "bytes" else row["line"])
        exact = 0.01 if name == "bytes" else 1e-9  # 64 MiB may be printed as 67M
        if value is not None and not any(abs(value - s) <= exact * max(abs(value), 1) for s in seen):
            wrong.append(f"{name} {value} is not in the line")
    if row.get("bytes") is not None and row["bytes"] <= 0:
        wrong.append(f"bytes {row['bytes']}")
    return wrong


def problems_of_run(run: dict) -> list[str]:
    wrong = []
    for name, known in (("inter", NETWORKS), ("intra", INSIDE), ("state", STATES)):
        if run.get(name) not in known:
            wrong.append(f"{name} {run.get(name)}")
    if None not in (run.get("nodes"), run.get("per_node"), run.get("ranks")) and run["ranks"] > run["nodes"] * run["per_node"]:
        wrong.append("more ranks than places")
    if run.get("nodes") == 1 and run.get("inter") is not None:
        wrong.append("a network on one node")
    for at, row in enumerate(run["rows"]):
        wrong += [f"row {at}: {text}: {row['line'][:120]}" for text in problems_of_row(row)]
    return wrong


def main() -> int:
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    rows, failed = 0, 0
    for file in files:
        source = json.loads(file.read_text(encoding="utf-8"))
        wrong = [] if re.fullmatch(r"https://\S+", source["url"]) and source["title"] else ["url or title"]
        if source.get("format") != "busbar known results" or source.get("version") != 1:
            wrong.append("format or version")
        if source["date"] is not None and not re.fullmatch(r"20\d\d(-\d\d(-\d\d)?)?", source["date"]):
            wrong.append(f"date {source['date']}")
        for run in source["results"]:
            wrong += problems_of_run(run)
            rows += len(run["rows"])
        for text in wrong:
            print(f"{file.name}: {text}")
        failed += len(wrong)
    print(f"{rows} rows from {len(files)} sources, {failed} wrong")
    return 1 if failed or rows < 150 or len(files) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())

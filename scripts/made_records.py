# SPDX-License-Identifier: Apache-2.0
"""Generates records of many cases from one small run of busbar-bench, for check-load and check-page."""
import argparse
import copy
import itertools
import json
import pathlib
import tempfile

import launches as ln

COLLECTIVES = ("allreduce", "reduce_scatter", "reduce", "allgather", "alltoall")
TYPES = ("int8", "int32", "int64", "uint8", "uint32", "uint64", "fp16", "bf16", "fp32", "fp64")


def model(want: argparse.Namespace) -> list[dict]:
    """Head, one case and end of the record of a busbar-bench run."""
    launcher = ln.Launcher(want, "busbar-bench", "busbar")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run.jsonl"
        launcher.run("a model run", "busbar-bench", "allreduce", "--sizes", "64K", "-n", 200, "--noise", 0, "--out", out)
        return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def cases(like: dict, count: int, factor: float) -> list[str]:
    """`count` cases with distinct keys; `factor` scales the time that a case's size gives."""
    lines = []
    kinds = itertools.product(range(23), (False, True), TYPES, COLLECTIVES)  # sizes change slowest
    for index, (power, in_place, dtype, collective) in enumerate(itertools.islice(kinds, count)):
        case = copy.copy(like)
        size = 8 << power
        key = like["key"] | {"collective": collective, "type": dtype, "in_place": in_place, "bytes": size}
        if collective == "reduce":
            key["root"] = 0
        slower = factor * (1 + size / 65536) / 2 * (1 + 0.01 * (index % 7))
        case |= {"index": index, "key": key, "time_s": like["time_s"] * slower}
        case |= {bandwidth: size / case["time_s"] * 1e-9 for bandwidth in ("algbw_GBps", "busbw_GBps")}
        case["statistics"] = {name: value if name == "over" else value * slower for name, value in like["statistics"].items()}
        case["interval_s"] = {"low": case["time_s"] * 0.99, "high": case["time_s"] * 1.01, "confidence": 0.95}
        lines.append(json.dumps(case, separators=(",", ":")))
    return lines


def make(want: argparse.Namespace, folder: pathlib.Path) -> dict[str, list[str]]:
    """Writes the records; returns their paths by platform."""
    head, like, end = model(want)
    made: dict[str, list[str]] = {"metal": [], "vm": []}
    for run in range(want.runs):
        ln.progress(f"record {run + 1} of {want.runs}")
        platform = "metal" if run % 2 == 0 else "vm"
        head |= {"id": f"{head['id'].split('.')[0]}.{run}", "labels": {"platform": platform},
                 "start_utc": f"2026-01-{1 + run // 1440 % 28:02}T{run // 60 % 24:02}:{run % 60:02}:00Z"}
        end["cases"] = {"ok": want.cases, "skipped": 0, "failed": 0}
        path = folder / f"{platform}-{run:04}.jsonl"
        lines = cases(like, want.cases, 1 + 0.02 * (platform == "vm") + 0.003 * (run // 2 % 5))
        path.write_text("\n".join([json.dumps(head), *lines, json.dumps(end)]) + "\n", encoding="utf-8")
        made[platform].append(str(path))
    ln.progress("")
    return made

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_launches.py DIR: small records of made-up launches for the tests of compare, gate and baseline."""
import json
import pathlib
import sys

SIZES = {64 << 10: 1e-5, 1 << 20: 1e-4}


def record(path: pathlib.Path, factor: float, start: str, labels: dict | None = None, memory: str = "host",
           shared_gpu: bool | None = None, virtualisation: str = "KVM", broken: bool = False) -> None:
    twin = f"-{path.parent.name}" if path.parent.name in ("same", "slow") else ""  # each launch has its own id
    run = {"record": "run", "schema": 1, "id": f"{path.stem}-{start}{twin}", "tool": {"name": "busbar-bench"}, "ranks": 2, "nodes": 1,
           "start_utc": start, "labels": labels or {}, "hosts": [{"name": "a", "virtualisation": virtualisation}],
           "method": {"cadence": "barrier", "rank_rule": "slowest", "statistic": "median_of_rounds", "check": "every_call",
                      "shared_gpu": shared_gpu}}
    lines = [run]
    for index, (size, time) in enumerate(SIZES.items()):
        key = {"kind": "collective", "collective": "allreduce", "backend": "mpi", "memory": memory, "type": "fp32", "op": "sum",
               "bytes": size, "in_place": False, "ranks": 2, "nodes": 1, "ranks_per_node": 2, "cadence": "barrier"}
        case = {"record": "case", "index": index, "key": key, "status": "ok", "time_s": time * factor,
                "algbw_GBps": size / time / factor * 1e-9, "check": {"state": "passed"}, "samples_s": [time] * 50}
        if broken and index == 1:
            case |= {"status": "failed", "reason": "wrong data on rank 1", "time_s": None}
        lines.append(case)
    lines.append({"record": "end", "status": "ok"})
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    for name, factor in {"base": 1, "same": 1.0004, "slow": 1.08}.items():
        (folder / name).mkdir(parents=True)
        for n, wobble in enumerate((1, 1.002, 0.998)):
            record(folder / name / f"{n}.jsonl", factor * wobble, f"2026-01-0{n + 1}T00:00:00Z",
                   {"platform": "vm" if name == "slow" else "metal"}, virtualisation="KVM" if name == "slow" else "bare metal")
    record(folder / "device.jsonl", 1, "2026-01-04T00:00:00Z", memory="device")
    record(folder / "shared.jsonl", 1, "2026-01-04T00:00:00Z", shared_gpu=True)
    record(folder / "single.jsonl", 1.01, "2026-01-04T00:00:00Z")
    record(folder / "broken.jsonl", 1, "2026-01-04T00:00:00Z", broken=True)
    (folder / "nightly").mkdir()
    for day in range(16):
        record(folder / "nightly" / f"{day}.jsonl", (1 if day < 9 else 1.07) * (1 + 0.004 * (day % 3)),
               f"2026-02-{day + 1:02}T02:00:00Z")


main()

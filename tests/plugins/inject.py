#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""inject.py BENCH MPIRUN INJECTORS PLUGIN [NP]: every call of a plug-in, with every type, checked, under faults.

INJECTORS: folder of busbar-injector.so. PLUGIN: file of the plug-in that it breaks. Without a fault all data is right;
with one, all cases whose data it breaks are found wrong, and a rank that fails, dies or hangs ends the job.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BENCH, MPIRUN, INJECTORS, PLUGIN = sys.argv[1:5]
NP = sys.argv[5] if len(sys.argv) > 5 else "2"
ALL = ["all", "-d", "all", "--place", "both", "-n", "2", "-w", "1"]
ONE = ["allreduce", "-d", "int32,fp32", "-n", "800", "-w", "1"]  # loopback has int32, oneCCL both
failures = []


def launch(fault: str, words: list[str]) -> tuple[int, list[dict], str]:
    """Exit code, cases of the record, output."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "r.jsonl"
        env = {**os.environ, "BUSBAR_BACKENDS": INJECTORS, "BUSBAR_TEST_WRAPPED": PLUGIN, "BUSBAR_TEST_FAULT": fault}
        done = subprocess.run([MPIRUN, "-np", NP, BENCH, *words, "--backend", "injector", "--sizes", "4K", "--check", "all", "--noise", "0",
                               "--settle", "no", "--timeout", "3", "--out", str(record)], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=250)
        lines = [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []
    return done.returncode, [line for line in lines if line["record"] == "case" and line["status"] != "skipped"], done.stdout


def expect(fault: str, condition: bool, shown):
    if not condition:
        failures.append(f"{fault}: {shown}")


def unbroken(cases: list[dict]) -> list[str]:
    """Cases with data that were not found wrong."""
    return [c["id"] for c in cases if c["key"]["bytes"] and c["check"]["state"] != "failed"]


code, healthy, said = launch("none", ALL)
expect("no fault", code == 0 and len(healthy) > 30 and all(c["check"]["state"] in ("passed", "none") for c in healthy), said)
for fault in ("nothing", "last_byte", "second_block", "nan"):
    code, cases, said = launch(fault, ALL)
    expect(fault, code == 1 and len(cases) == len(healthy) and not unbroken(cases), f"exit code {code}, not found: {unbroken(cases)}\n{said}")
code, cases, said = launch("one_rank", ALL)
wrong = [c for c in cases if c["check"]["state"] == "failed"]
expect("one_rank", code == 1 and len(wrong) > 20 and all(c["check"]["wrong_ranks"] == [1] for c in wrong), said)
code, cases, said = launch("once_in_500", ONE)
expect("once_in_500", code == 1 and unbroken(cases) == [], said)
for fault, right, text in (("error", 3, "rank 1"), ("hang", 3, "took longer than --timeout 3 s"), ("abort", None, "rank 1 on ")):
    code, cases, said = launch(fault, ONE)
    expect(fault, (code == right if right is not None else code != 0) and text in said, f"exit code {code}:\n{said}")
print("\n".join(failures) or f"{len(healthy)} cases pass, and every fault is found")
sys.exit(bool(failures))

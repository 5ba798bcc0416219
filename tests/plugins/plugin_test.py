#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plugin_test.py BIN MPIRUN FOLDER: plug-ins (busbar-loopback.so, busbar-faulty.so in FOLDER) that work, and that break."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BIN, MPIRUN, FOLDER = sys.argv[1:4]
SHORT = ["--sizes", "1K", "-d", "int32", "-n", "200", "--noise", "0", "--settle", "no", "--timeout", "2", "--startup-timeout", "2"]
failures = []


def bench(*arguments, fault="", ranks=2):
    """Exit code, output and lines of the record. One rank is started without mpirun."""
    launcher = [MPIRUN, "-np", str(ranks)] if ranks > 1 else []
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "r.jsonl"
        done = subprocess.run([*launcher, f"{BIN}/busbar-bench", *arguments, "--out", str(record)],
                              env={**os.environ, "BUSBAR_BACKENDS": f"/nowhere:{FOLDER}", "FAULT": fault},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        lines = [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []
    return done.returncode, done.stdout, lines


def expect(what, condition, shown):
    if not condition:
        failures.append(f"{what}: {shown}")


def ends(what, code, pattern, arguments=("allreduce", *SHORT), name="faulty", ranks=2):
    """`code` None: of a process that died, mpirun gives a code of its own."""
    got, said, lines = bench(*arguments, "--backend", name, fault=what, ranks=ranks)
    right = got != 0 if code is None else got == code
    expect(what, right and re.search(pattern, said), f"exit code {got} instead of {code}, or not '{pattern}':\n{said}")
    return lines


def check_works():
    code, said, lines = bench("all", "-d", "int32,fp64,fp16", "--sizes", "4K", "--place", "both", "--check", "all", "-n", "20",
                              "--noise", "0", "--settle", "no", "--backend", "loopback")
    cases = [line for line in lines if line["record"] == "case"]
    ok = [c for c in cases if c["status"] in ("ok", "partial")]
    reasons = {c["reason"] for c in cases if c["status"] == "skipped"}
    expect("loopback", code == 0 and len(ok) > 30 and all(c["check"]["state"] in ("passed", "none") for c in ok), said)
    expect("loopback", {c["key"]["collective"] for c in ok} >= {"allreduce", "alltoall", "scatter", "sendrecv", "incast", "barrier"}, ok)
    expect("loopback", any("only has the sums of int32 and fp64" in r for r in reasons), reasons)
    run = next(line for line in lines if line["record"] == "run")
    expect("loopback", run["libraries"].get("loopback") == "1.0" and cases[0]["key"]["backend"] == "loopback", run)


def check_optional_parts():
    arguments = ("allreduce", "alltoall", "gather", "-d", "int32", "--sizes", "4K", "--place", "both", "--check", "all", "-n", "20",
                 "--noise", "0", "--settle", "no")
    lines = ends("own memory", 0, r"/faulty/device/", arguments)
    cases = [line for line in lines if line["record"] == "case"]
    expect("own memory", len(cases) >= 5 and all(c["check"]["state"] == "passed" for c in cases), cases)
    expect("own memory", all(c["key"]["memory"] == "device" for c in cases), cases)
    lines = ends("asynchronous", 0, r"/streaming", (*arguments, "--cadence", "streaming"))
    cases = [line for line in lines if line["record"] == "case"]
    expect("asynchronous", len(cases) >= 5 and all(c["check"]["state"] == "passed" for c in cases), cases)
    expect("asynchronous", cases and cases[0]["library_call"] == "exchange", cases)
    expect("asynchronous", cases and cases[0]["library_choice"] == {"algorithm": "star", "protocol": "simple", "channels": 3}, cases)


def refused(what, pattern, arguments=("allreduce",), name="faulty"):
    ends(what, 2, pattern, arguments, name, ranks=1)


def check_refused():
    refused("unknown", r"no 'nope': this build has mpi.*no folder has busbar-nope.so: /nowhere, ", name="nope")
    refused("path", r"no '../x'", name="../x")
    refused("other version", r"busbar-faulty.so was built for version 2 of busbar/backend.h; this busbar has version 1")
    refused("other table", r"says that it is for version 1 .* but its table has 40 bytes")
    refused("no table", r"busbar_backend\(\) returns no table")
    refused("no start", r"its table lacks start")
    refused("half a memory", r"its table lacks one of allocate, release, write and read")
    refused("empty", r"busbar-empty.so is no plug-in: it has no function busbar_backend", name="empty")
    refused("broken", r"cannot be loaded", name="broken")
    refused("option", r"loopback cannot run here: it has no options", ("allreduce", "--backend-option", "a=b"), name="loopback")
    refused("own option", r"mpi is no plug-in", ("allreduce", "--backend-option", "a=b"), name="mpi")


def check_faults():
    ends("older table", 0, r"1 ok")
    ends("open fails", 2, r"rank 1: loopback: open: no such device \(code 7\)")
    ends("open hangs", 3, r"start-up: --backend faulty took longer than --startup-timeout 2 s")
    ends("open crashes", None, r"rank 1 on .* is gone, killed or crashed: start-up: --backend faulty")
    ends("call fails", 3, r"rank 1.*loopback: allreduce: link down \(code 5\)")
    ends("call hangs", 3, r"allreduce 1 KiB, round \d+ took longer than --timeout 2 s")
    ends("call aborts", None, r"rank 1 on .* is gone, killed or crashed: allreduce 1 KiB, round \d+, (warm-up|timed) call")
    ends("call exits", None, r"rank 1 on .* is gone, killed or crashed: allreduce 1 KiB, round \d+, (warm-up|timed) call")
    ends("background error", 3, r"rank 1.*loopback: poll: a NIC was reset \(code 9\)")
    lines = ends("wrong data", 1, r"wrong")
    wrong = [line for line in lines if line["record"] == "case" and line["check"]["state"] == "failed"]
    expect("wrong data", wrong and wrong[0]["check"]["wrong_ranks"] == [1], wrong)


pathlib.Path(FOLDER, "busbar-broken.so").write_text("no library", encoding="ascii")
check_works()
check_optional_parts()
check_refused()
check_faults()
print("\n".join(failures) or "all plug-ins end as they must")
sys.exit(bool(failures))

# SPDX-License-Identifier: Apache-2.0
"""Steps of gpu-check, one function per step. Each yields rows of the table; a failed step does not stop the others."""
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import gpu_tree

PASS, MISS, NOT_RUN, SEEN = "pass", "MISS", "not run", "-"  # "-": a figure that has no bar
EVENTS_BAR = 0.02  # maximum relative difference of a large call by host clock and by GPU events


@dataclasses.dataclass(frozen=True)
class Scale:
    """Amount of work of the steps."""
    largest: str  # message size, as for --sizes
    clock_calls: int
    check_gib: float  # buffer of the step `large`, which needs three times as much memory
    train: str  # arguments of busbar-train for network and duration
    on_device: bool = True  # False: fake GPU, figures are meaningless


ON_DEVICE = Scale("64M", 200, 8, "--model resnet50 --batch 64 --run-budget 20")
REHEARSAL = Scale("100K", 20, 1 / 64, "--model resnet18 --image 32 --classes 10 --batch 2 --steps 2 --warmup 1 --learning-rate 0.01", False)


@dataclasses.dataclass
class Row:
    what: str
    figure: str = ""
    bar: str = ""
    verdict: str = SEEN


@dataclasses.dataclass
class Outcome:
    code: int | None  # None: time limit exceeded
    output: str
    seconds: float

    @property
    def last(self) -> str:
        """The line with the reason: busbar's last, since mpirun prints more after it, or the last with a word."""
        lines = [line.strip() for line in self.output.splitlines() if re.search(r"\w", line)]
        own = [line for line in lines if line.startswith("busbar-")]
        return (own or lines or ["it said nothing"])[-1][:200]

    def failure(self) -> str:
        return f"not done after {self.seconds:.0f} s" if self.code is None else f"exit {self.code}: {self.last}"


class NoTime(Exception):
    pass


class Shell:
    """Runs commands one after the other within a common time limit; their output goes to one log."""

    def __init__(self, seconds: float, env: dict[str, str], log: pathlib.Path):
        self.ends, self.env, self.log = time.monotonic() + seconds, env, log

    def left(self) -> float:
        return self.ends - time.monotonic()

    def run(self, command: list, limit_s: float) -> Outcome:
        """Raises NoTime if too little time is left. At its limit, a command is ended with all its child processes."""
        if self.left() < 5:
            raise NoTime
        command, begin = list(map(str, command)), time.monotonic()
        with self.log.open("a", encoding="utf-8") as log:
            print(f"\n$ {' '.join(command)}", file=log, flush=True)
            at = log.tell()
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=self.env,
                                     cwd=gpu_tree.ROOT, start_new_session=True)
            try:
                code = child.wait(timeout=min(limit_s, self.left()))
            except BaseException as error:
                end_group(child)
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                code = None
        with self.log.open("rb") as log:
            log.seek(at)
            return Outcome(code, log.read().decode("utf-8", "replace"), time.monotonic() - begin)


def end_group(child: subprocess.Popen) -> None:
    """SIGTERM lets mpirun end its ranks in order; SIGKILL follows after 5 s."""
    for number, patience_s in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        try:
            os.killpg(child.pid, number)
            child.wait(timeout=patience_s)
            return
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


class Check:
    """Shared by the steps: locations of programs, records and log; starts ranks."""

    def __init__(self, shell: Shell, build: pathlib.Path, out: pathlib.Path, tests: list[dict], gpus: int, memory_bytes: int,
                 scale: Scale = ON_DEVICE):
        self.shell, self.build, self.out, self.tests = shell, build, out, tests
        self.gpus, self.memory_bytes, self.scale = gpus, memory_bytes, scale

    def program(self, name: str) -> pathlib.Path:
        return self.build / "bin" / name

    def ranks(self, np: int, program: str, *arguments: object) -> list:
        share = ["--share-gpu"] if np > self.gpus else []
        binding = ["--bind-to", "none"] if np == 1 else []  # its threads would share a core
        return ["mpirun", "-np", np, *binding, self.program(program), *arguments, *share, "--noise", 0, "--progress", "never"]

    def cases(self, name: str, np: int, program: str, *arguments: object, limit_s: float) -> tuple[Outcome, list[dict]]:
        """Runs a program that writes NAME.jsonl; reads the cases that it completed."""
        record = self.out / f"{name}.jsonl"
        done = self.shell.run(self.ranks(np, program, *arguments, "--out", record, "--overwrite"), limit_s)
        lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
        read = []
        for line in lines:
            try:
                read.append(json.loads(line))
            except ValueError:
                break  # incomplete line: the program was ended
        return done, [line for line in read if line["record"] == "case"]


def tests_step(check: Check) -> Iterator[Row]:
    """ctest -L gpu: one row per test."""
    if not check.tests:
        yield Row("ctest -L gpu", "this build has no such test", "", NOT_RUN)
        return
    results = check.out / "ctest.xml"
    done = check.shell.run(["ctest", "--test-dir", check.build, "-L", "^gpu$", "--output-on-failure", "--output-junit", results],
                           180)
    if not results.exists():
        yield Row("ctest -L gpu", done.failure(), "each passes", MISS)
        return
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        state = {"run": PASS, "fail": MISS}.get(case.get("status", ""), NOT_RUN)
        yield Row(f"ctest {case.get('name')}", f"{float(case.get('time', 0)):.1f} s", "passes", state)
    results.unlink()


def count(cases: list[dict]) -> str:
    states = [case["status"] for case in cases]
    return ", ".join(f"{states.count(state)} {state}" for state in ("ok", "skipped", "failed"))


def every_case(check: Check, np: int) -> Iterator[Row]:
    """Every collective with all data checked. One rank: every type and operation; several take minutes."""
    types, ops = ("all", "all") if np == 1 else ("fp32,bf16", "sum,avg")
    done, cases = check.cases(f"nccl-{np}", np, "busbar-bench", "all", "--backend", "nccl", "-d", types, "--op", ops, "--sizes",
                              f"8,1K,33K,{check.scale.largest}", "-n", 3, "-w", 1, "-c", 2, "--place", "both", "--overhead", limit_s=150)
    what = (f"nccl, {np} rank{'s' if np > 1 else ''}{', one GPU' if np > check.gpus else ''}: every collective, "
            + ("type, operation" if np == 1 else f"{types}, {ops}"))
    if not cases:
        yield Row(what, done.failure(), "0 failed", MISS)
        return
    right = done.code == 0 and all(case["status"] != "failed" for case in cases) and any(case["status"] == "ok" for case in cases)
    yield Row(what, count(cases) + ("" if done.code == 0 else f"; {done.failure()}"), "0 failed, exit 0", PASS if right else MISS)
    for case in [case for case in cases if case["status"] == "failed"][:3]:
        yield Row(f"  {case['id']}", str(case["reason"])[:160], "", MISS)
    around = [case["overhead"]["start_s"] + case["overhead"]["data_s"] + case["overhead"]["other_s"] for case in cases
              if case.get("overhead")]
    if around:
        yield Row("  harness time of a case beside the calls", f"median {1e3 * statistics.median(around):.1f} ms, "
                  f"largest {1e3 * max(around):.0f} ms")
    told = [case for case in cases if case.get("library_choice")]
    ways = sorted({f"{case['library_choice']['algorithm']}/{case['library_choice']['protocol']}" for case in told})
    yield Row("  NCCL told its algorithm", f"of {len(told)} of {len(cases)} cases: {', '.join(ways) or 'none'}")


def several_gpus(check: Check) -> Iterator[Row]:
    """One process with all GPUs, its calls launched by one thread and by a thread per GPU."""
    for launch in ("group", "threads"):
        what = f"nccl, one process, {check.gpus} GPUs, --launch {launch}"
        if check.gpus < 2:
            yield Row(what, "there is one GPU", "0 failed", NOT_RUN)
            continue
        done, cases = check.cases(f"gpus-{launch}", 1, "busbar-bench", "all", "--backend", "nccl", "--gpus-per-rank", check.gpus, "--launch",
                                  launch, "--sizes", f"8,33K,{check.scale.largest}", "-n", 20, "-c", 2, limit_s=90)
        right = done.code == 0 and bool(cases) and all(case["status"] != "failed" for case in cases)
        first = next((f"; allreduce of 8 B {1e6 * case['time_s']:.1f} us" for case in cases if case["status"] == "ok"
                      and case["key"]["collective"] == "allreduce"), "")
        yield Row(what, (count(cases) + first if cases else done.failure()), "0 failed, exit 0", PASS if right else MISS)


def clocks(check: Check, np: int) -> Iterator[Row]:
    """Compares host clock and GPU events for one large call."""
    size = check.scale.largest
    done, cases = check.cases(f"clocks-{np}", np, "busbar-bench", "allreduce,allgather,broadcast", "--backend", "nccl", "--sizes", size,
                              "-n", check.scale.clock_calls, limit_s=60)
    both = [(case, case["time_by_clock_s"]) for case in cases if case.get("time_by_clock_s")]
    what = f"{size[:-1]} {size[-1]}iB by events and by the host's clock, {np} rank{'s' if np > 1 else ''}"
    if not both:
        yield Row(what, done.failure() if done.code != 0 else "no case has both", f"within {EVENTS_BAR:.0%}", MISS)
    for case, by in both:
        host, events = by.get("host"), by.get("cuda_events")
        if not host or not events:
            yield Row(f"{what}: {case['key']['collective']}", "one of the clocks is missing", f"within {EVENTS_BAR:.0%}", MISS)
            continue
        apart = events / host - 1
        verdict = (PASS if abs(apart) <= EVENTS_BAR else MISS) if check.scale.on_device else SEEN
        yield Row(f"{what}: {case['key']['collective']}", f"{1e6 * events:.1f} us and {1e6 * host:.1f} us, {apart:+.2%}",
                  f"within {EVENTS_BAR:.0%}", verdict)


def large_check(check: Check) -> Iterator[Row]:
    """Time to fill and check a large buffer."""
    size = round(check.scale.check_gib * 1024)
    what = f"fill and check every byte of {size} MiB, allreduce"
    if check.memory_bytes < 3 * size << 20:
        yield Row(what, f"the GPU has {check.memory_bytes / 2**30:.0f} GiB", "", NOT_RUN)
        return
    done, cases = check.cases("large", 1, "busbar-bench", "allreduce", "--backend", "nccl", "--sizes", f"{size}M", "-n", 2,
                              "-w", 1, "-c", 2, "--overhead", limit_s=120)
    if not cases or cases[0]["status"] != "ok" or not cases[0].get("overhead"):
        yield Row(what, cases[0]["reason"] or done.failure() if cases else done.failure(), "data right", MISS)
        return
    calls = cases[0]["check"]["calls_checked"] or 1
    yield Row(what, f"{cases[0]['overhead']['data_s']:.2f} s for {calls} calls, {done.seconds:.1f} s in all", "data right", PASS)


def mpi_device(check: Check) -> Iterator[Row]:
    """MPI with GPU buffers: passes, or is rejected with a message if this MPI lacks CUDA support."""
    done, cases = check.cases("mpi-device", 2, "busbar-bench", "allreduce", "--backend", "mpi", "--memory", "device", "--sizes", "1K,1M",
                              "-n", 5, limit_s=60)
    if done.code == 0 and cases:
        yield Row("mpi, buffers on the GPU", count(cases), "passes, or is refused", PASS)
    elif done.code == 2 and done.output.strip():
        yield Row("mpi, buffers on the GPU", f"refused: {done.last}", "passes, or is refused", PASS)
    else:
        yield Row("mpi, buffers on the GPU", done.failure(), "passes, or is refused", MISS)


def sanitizer(check: Check) -> Iterator[Row]:
    """Runs the kernel tests under compute-sanitizer."""
    tool = shutil.which("compute-sanitizer")
    kernels = [name for name in gpu_tree.programs(check.build, check.tests) if "kernel" in name or "pattern" in name]
    missing = ("there is no device" if not check.scale.on_device else "it is not installed" if not tool else
               "this build has no test of kernels" if not kernels else "")
    if missing:
        yield Row("compute-sanitizer", missing, "", NOT_RUN)
        return
    for name in kernels:
        for kind in ("memcheck", "racecheck"):
            done = check.shell.run([tool, "--tool", kind, "--error-exitcode", 99, check.program(name)], 120)
            figure = f"{done.seconds:.0f} s" if done.code == 0 else done.failure()
            yield Row(f"compute-sanitizer {kind} {name}", figure, "0 errors", PASS if done.code == 0 else MISS)


def training_of(check: Check, norm: str, limit_s: float) -> Iterator[Row]:
    """ResNet-50 on the GPU: the loss must fall on one batch."""
    what = f"busbar-train --compute cudnn --norm {norm} {check.scale.train.split(' --image')[0].split(' --run')[0]}"
    done, cases = check.cases(f"train-{norm}", 1, "busbar-train", "--compute", "cudnn", "--norm", norm, *check.scale.train.split(),
                              limit_s=limit_s)
    case = next((case for case in cases if case.get("training")), None)
    if not case:
        yield Row(what, done.failure(), "loss falls", MISS)
        return
    result = case["training"]
    first, last = result["loss_first"], result["loss_last"]
    falls = first is not None and last is not None and last < first
    yield Row(what, f"loss {first} to {last}", "falls", PASS if falls else MISS)
    yield Row("  images a second", f"{result['samples_per_s']:.0f}")
    for remark in case["remarks"]:
        yield Row("  remark", remark)


def training(check: Check) -> Iterator[Row]:
    """Trains with each norm. `fastest` first makes 4 plans for each of 33 graphs of norms, 90 to 145 s of CPU time, and 3 for each
    of 23 convolutions with sums, about 50 s."""
    for norm, limit_s in (("own", 120), ("fastest", 360)):
        yield from training_of(check, norm, limit_s)


def pytorch(check: Check) -> Iterator[Row]:
    script = gpu_tree.ROOT / "scripts/compare-pytorch-gpu"
    if not script.exists():
        yield Row("compare-pytorch-gpu", "this tree has no such script", "", NOT_RUN)
        return
    done = check.shell.run([sys.executable, script, "--bin", check.build / "bin", "--launches", 6, "--paths", "eager,graph",
                            "--json", check.out / "pytorch.json"], 480)
    verdict = {0: PASS, 77: NOT_RUN}.get(done.code, MISS)
    yield Row("compare-pytorch-gpu", done.last if done.code in (0, 77) else done.failure(), "its own", verdict)


def steps(check: Check) -> dict:
    """Steps by their --only names, in order of execution."""
    several = check.gpus if check.gpus > 1 else 2
    return {"tests": lambda: tests_step(check), "one": lambda: every_case(check, 1), "ranks": lambda: every_case(check, several),
            "process": lambda: several_gpus(check),
            "clocks": lambda: (row for np in dict.fromkeys((1, several)) for row in clocks(check, np)),
            "large": lambda: large_check(check), "mpi": lambda: mpi_device(check), "train": lambda: training(check),
            "pytorch": lambda: pytorch(check), "sanitizer": lambda: sanitizer(check)}


STEP_NAMES = tuple(steps(Check(None, pathlib.Path(), pathlib.Path(), [], 1, 0)))  # type: ignore[arg-type]

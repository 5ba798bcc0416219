#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates trainings and allreduces on a platform of known latency and bandwidth. `busbar explain` must find both, and
the overlap that did not happen, in the lost efficiency of the trainings.

usage: losses_test.py BIN WORK
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys

LATENCY_S, BANDWIDTH_BPS = 500e-6, 12.5e9
ALGORITHM = ["--cfg", "smpi/allreduce:lr"]  # a ring: 2 (n - 1) messages, 2 (n - 1) / n of the bytes
TRAININGS = {"profile": ["--profile", "a100-pcie.resnet50.b1024"],
             "model": ["--model", "vgg16", "--tflops", "60", "--batch", "32", "--wire", "fp16"]}


class Programs:
    def __init__(self, programs: pathlib.Path, work: pathlib.Path):
        self.programs, self.work = programs, work

    def run(self, program: str, *words: str) -> str:
        done = subprocess.run([self.programs / program, *words], cwd=self.work, stdout=subprocess.PIPE, check=True, text=True)
        return done.stdout

    def losses(self, *records: str) -> list:
        return json.loads(self.run("busbar", "explain", "--format", "json", *records))["losses"]


def near(what: str, value: float, expected: float, tolerance: float) -> None:
    if abs(value - expected) > tolerance:
        raise SystemExit(f"{what}: {value:.9g} instead of {expected:.9g}")


def check_scale(what: str, scale: dict, element_bytes: float) -> dict:
    """The platform's latency and bandwidth, and parts that add up. Returns the parts by cause."""
    n, step_s = scale["ranks"], scale["step_s"]
    parts = {part["cause"]: part["loss_s"] for part in scale["parts"]}
    predicted = scale["exchange"]["predicted"]
    near(f"{what}: latency", predicted["latency_s"], predicted["buckets"] * 2 * (n - 1) * LATENCY_S, 0.01 * predicted["latency_s"])
    near(f"{what}: bandwidth", predicted["bandwidth_s"], 2 * (n - 1) / n * element_bytes / BANDWIDTH_BPS,
         0.01 * predicted["bandwidth_s"])
    near(f"{what}: sum", sum(parts.values()), scale["loss_s"], 1e-12)
    near(f"{what}: unexplained", parts["unexplained"], 0, 1e-4 * step_s)
    print(f"{what}: loss {1e3 * scale['loss_s']:.3f} ms of {1e3 * step_s:.3f} ms, " +
          ", ".join(f"{cause} {1e3 * s:.3f}" for cause, s in parts.items() if s))
    return parts


def check_training(programs: Programs, name: str, words: list) -> None:
    record = f"{name}.jsonl"
    programs.run("busbar-train-sim", "--platform", "p.xml", "-np", "4", *ALGORITHM, *words, "--compute", "replay", "--scale",
                 "1,2,4", "--overlap", "none,stream", "--out", record, "--overwrite")
    cases = [json.loads(line) for line in (programs.work / record).read_text(encoding="utf-8").splitlines()]
    exchanged = next(c["key"]["bytes"] for c in cases if c["record"] == "case")
    alone = programs.losses(record)
    allreduces = []
    for scale in alone[0]["scales"]:
        if [p["cause"] for p in scale["parts"]].count("exchange") != 1:
            raise SystemExit(f"{name}: without allreduces the exchange is not divided: {scale['parts']}")
        allreduces.append(f"{name}-allreduce{scale['ranks']}.jsonl")
        program, *measure = shlex.split(scale["exchange"]["measure"])
        programs.run(program, *measure, "--out", allreduces[-1], "--overwrite")
    none, stream = programs.losses(record, *allreduces)
    if "no overlap" not in none["training"]:
        none, stream = stream, none
    for without, beside in zip(none["scales"], stream["scales"], strict=True):
        what = f"{name}, {without['ranks']} ranks"
        lost = check_scale(f"{what}, no overlap", without, exchanged)
        check_scale(f"{what}, overlap stream", beside, exchanged)
        near(f"{what}: missed overlap", lost["missed overlap"], without["step_s"] - beside["step_s"], 1e-3 * without["step_s"])


def main(programs: pathlib.Path, work: pathlib.Path) -> None:
    os.makedirs(work, exist_ok=True)
    tools = Programs(programs, work)
    tools.run("busbar", "platform", "--topology", "single-switch", "--nodes", "4", "--bandwidth", f"{BANDWIDTH_BPS / 1e9}GB/s",
              "--latency", f"{LATENCY_S * 1e6:g}us", "-o", "p.xml")
    for name, words in TRAININGS.items():
        check_training(tools, name, words)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute())

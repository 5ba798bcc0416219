#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CMake configures busbar without GoogleTest, Google Benchmark or SimGrid, and makes warnings errors only on request.
quickstart builds every program that the pages name.

usage: configure_test.py --cmake CMAKE --source FOLDER --work FOLDER --compiler CXX [--charts FILE]
All trials use one build folder, in which what CMake found out about the compiler and about MPI stays.
GPUs are left out throughout. Of what is configured only the simulators' substitutes are built: one file each.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

NO_GOOGLETEST = ("-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON")
WITHOUT_TESTS = "-DBUILD_TESTING=OFF"
# Takes back the options of the trial before.
NO_OPTIONS = [f"-U{name}" for name in ("BUILD_TESTING", "BUSBAR_SIMGRID", "SIMGRID_*", "CMAKE_DISABLE_FIND_PACKAGE_*",
                                       "CMAKE_COMPILE_WARNING_AS_ERROR")]


class Trial:
    """The build folder, configured with `options` beside those of every trial."""

    def __init__(self, args: argparse.Namespace, name: str, *options: str) -> None:
        self.cmake = args.cmake
        self.name, self.folder = name, pathlib.Path(args.work) / "build"
        self.run = subprocess.run(
            [args.cmake, "-G", "Ninja", "-S", args.source, "-B", str(self.folder), f"-DCMAKE_CXX_COMPILER={args.compiler}",
             f"-DBUSBAR_CHART_BUNDLE={args.charts}", "-DBUSBAR_GPU=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *NO_OPTIONS, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        # CMake breaks its lines where an error is long.
        self.text = re.sub(r"\s+", " ", self.run.stdout)

    def expect(self, code: int, *texts: str) -> "Trial":
        missing = [text for text in texts if text not in self.text]
        if self.run.returncode != code or missing:
            sys.exit(f"{self.name}: exit code {self.run.returncode}, expected {code} and {missing} in\n{self.run.stdout}")
        return self

    def commands(self) -> list[dict]:
        return json.loads((self.folder / "compile_commands.json").read_text(encoding="utf-8"))

    def build_and_run(self, program: str) -> subprocess.CompletedProcess:
        build = subprocess.run([self.cmake, "--build", str(self.folder), "--target", program],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if build.returncode != 0:
            sys.exit(f"{self.name}: {program} is not built:\n{build.stdout}")
        return subprocess.run([self.folder / "bin" / program], capture_output=True, text=True, check=False)


def require(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(what)


def check_without_googletest(args: argparse.Namespace) -> None:
    trial = Trial(args, "without_googletest", *NO_GOOGLETEST, "-DBUSBAR_SIMGRID=OFF")
    trial.expect(0, "Without tests: GoogleTest with gmock was not found (Debian: ")
    files = [command["file"] for command in trial.commands()]
    require(any("/busbar-train.dir/" in command["command"] for command in trial.commands()), "without GoogleTest busbar-train is not built")
    require(not any(file.startswith(f"{args.source}/tests/") for file in files), "tests are built without GoogleTest")
    require(not any("-Werror" in command["command"] for command in trial.commands()), "warnings are errors without being asked for")
    check_without_simgrid(trial, "SimGrid was left out when it was built")
    Trial(args, "tests_wanted", *NO_GOOGLETEST, "-DBUILD_TESTING=ON").expect(1, "BUILD_TESTING=ON: GoogleTest with gmock was not found")


def check_without_benchmark(args: argparse.Namespace) -> None:
    trial = Trial(args, "without_benchmark", NO_GOOGLETEST[1], "-DBUILD_TESTING=ON", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON",
                  "-DSIMGRID_LIBRARY=")
    trial.expect(0, "Without the benchmarks of bench/micro: Google Benchmark was not found")
    own = [command for command in trial.commands() if not command["file"].startswith(str(trial.folder))]
    require(all("-Werror" in command["command"] for command in own), "CMAKE_COMPILE_WARNING_AS_ERROR=ON does not reach every file")
    check_without_simgrid(trial, "libsimgrid-dev; SIMGRID_ROOT names")


def check_without_simgrid(trial: Trial, reason: str) -> None:
    trial.expect(0, "Without SimGrid: ", reason)
    run = trial.build_and_run("busbar-bench-sim")
    require(run.returncode == 2 and reason in run.stderr, f"{trial.name}: busbar-bench-sim says '{run.stderr}' and ends with {run.returncode}")


def check_quickstart(args: argparse.Namespace) -> None:
    """What pages run from build/release/bin is there after quickstart, which builds everything but tests."""
    source = pathlib.Path(args.source)
    trial = Trial(args, "quickstart", WITHOUT_TESTS).expect(0)
    plan = subprocess.run([args.cmake, "--build", str(trial.folder), "--", "-n"], capture_output=True, text=True, check=True).stdout
    built = set(re.findall(r"Linking CXX executable bin/(\S+)", plan))
    pages = [source / "README.md", *(source / "docs").rglob("*.md")]
    named = {name for page in pages for name in re.findall(r"build/release/bin/(busbar[\w-]*)", page.read_text(encoding="utf-8"))}
    require(named != set() and named <= built, f"pages name programs that are not built without tests: {sorted(named - built)}")
    steps = re.findall(r"^cmake --build .*$", (source / "scripts/quickstart").read_text(encoding="utf-8"), re.MULTILINE)
    require(steps != [] and not any("--target" in step for step in steps), f"scripts/quickstart builds a part of the programs: {steps}")


def check_presets(source: pathlib.Path) -> None:
    """Users' builds do not turn warnings into errors; the developers' does."""
    presets = json.loads((source / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
    strict = [preset["name"] for preset in presets if preset.get("cacheVariables", {}).get("CMAKE_COMPILE_WARNING_AS_ERROR") == "ON"]
    require(strict == ["dev"], f"presets with warnings as errors: {strict}, expected ['dev']")


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("cmake", "source", "work", "compiler"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--charts", default="")
    args = parser.parse_args()
    check_presets(pathlib.Path(args.source))
    shutil.rmtree(args.work, ignore_errors=True)
    check_quickstart(args)  # first: it looks at what is not built yet
    check_without_googletest(args)
    check_without_benchmark(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""workflow_test.py WORKFLOW BIN MPIRUN DIR: runs the shell steps of scripts/ci/github-gate.yml as GitHub's runner would
(bash -e, its variables), with short launches on two ranks. Exit code 77 where PyYAML is missing."""
import os
import pathlib
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("skipped: PyYAML is not installed (python3-yaml)")
    sys.exit(77)

workflow_file, programs, mpirun, folder = map(pathlib.Path, sys.argv[1:])
root = workflow_file.resolve().parents[2]
shutil.rmtree(folder, ignore_errors=True)
home = folder / "home"
(home / "build/release").mkdir(parents=True)
(home / "scripts").symlink_to(root / "scripts")
(home / "build/release/bin").symlink_to(programs.resolve())
workflow = yaml.safe_load(workflow_file.read_text(encoding="utf-8"))
launch = f"{mpirun} -np 2 {programs.resolve()}/busbar-bench --sizes 64K -n 20 --noise 0"
environment = os.environ | {k: str(v) for k, v in workflow["env"].items()} | {
    "BUSBAR_HOME": str(home.resolve()), "HISTORY": str((folder / "history").resolve()), "LAUNCHES": "3",
    "MAX_REGRESSION": "10000%", "LAUNCH": launch, "LAUNCH_BASE": launch, "LAUNCH_CHANGE": launch,
    "GITHUB_STEP_SUMMARY": str((folder / "step.md").resolve())}


def run(job: str) -> str:
    """All that its steps print; the first that fails ends the test."""
    printed = ""
    for step in workflow["jobs"][job]["steps"]:
        if "run" not in step:
            continue
        done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, text=True)
        # 5: a busy machine disturbed it, and a gate gives no verdict then.
        disturbed = done.returncode == 5 and ": 1 disturbed." in done.stdout
        if done.returncode != 0 and not disturbed:
            sys.exit(f"{job}: '{step['name']}' gave {done.returncode}:\n{done.stdout}{done.stderr}")
        printed += done.stdout
    return printed


def expect(text: str, words: str) -> None:
    if words not in text:
        sys.exit(f"expected: {words}\nprinted:\n{text}")


expect(run("nightly"), "this night begins it")
expect(run("nightly"), " 1 point: ")  # pass, or disturbed, or inconclusive where launches of a busy machine differ too much
expect((folder / "step.md").read_text(encoding="utf-8"), "# busbar gate: ")
assert len(list((folder / "history").glob("*.jsonl"))) == 6
expect(run("pull_request"), "report.html: 6 runs")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pip install ./python` into a fresh virtual environment, and what it installs reads a record. Without a network: pandas and
setuptools are those of the system. Skipped without one of them.

usage: install_test.py [--online]    (--online: pip gets all from its index, as a user's does)
"""
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
RECORD = TOP / "reports/examples/published/records/dell_r750xa_vms_on_a_node.jsonl"
CODE = "import busbar, sys; assert 'site-packages' in busbar.__file__; print(len(busbar.read(sys.argv[1])), len(busbar.columns()))"


def run(*words) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(online: bool) -> int:
    needed = ("venv", "ensurepip") if online else ("venv", "pip", "setuptools", "wheel", "pandas")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        # pip builds beside the sources: a copy, so that the tree stays as it is.
        package, environment = pathlib.Path(folder) / "python", pathlib.Path(folder) / "environment"
        shutil.copytree(TOP / "python", package, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        run(sys.executable, "-m", "venv", *([] if online else ["--system-site-packages", "--without-pip"]), environment)
        python = environment / "bin/python"
        run(python, "-m", "pip", "install", "--disable-pip-version-check", *([] if online else ["--no-index", "--no-build-isolation"]), package)
        rows, columns = map(int, run(python, "-I", "-c", CODE, RECORD).split())
    print(f"{rows} rows, {columns} columns")
    return 0 if rows == 3 and columns > 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--online"]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflow for GitHub calls what is in the tree: its steps, expanded over the matrix, are shell; each script exists, knows
the options that it is given, and the tests that it selects exist.

usage: ci_workflow_test.py SOURCE_FOLDER
Nothing is run. Exit code 77 where PyYAML is missing.
"""
import itertools
import pathlib
import re
import shlex
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("skipped: PyYAML is not installed (python3-yaml)")
    sys.exit(77)

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
GIVEN_BY_GITHUB = re.compile(r"github\.\w+")


def combinations(job: dict) -> list[dict]:
    """One dictionary of the matrix' values for each job that GitHub would start."""
    matrix = dict(job.get("strategy", {}).get("matrix", {}))
    include = matrix.pop("include", [])
    product = [dict(zip(matrix, values)) for values in itertools.product(*matrix.values())] if matrix else []
    return product + include or [{}]


def expand(text: str, values: dict) -> str:
    """With the values of the matrix; raises KeyError for what GitHub would not know."""
    def value(found: re.Match) -> str:
        name = found[1]
        if GIVEN_BY_GITHUB.fullmatch(name):
            return "github"
        kind, _, key = name.partition(".")
        if kind != "matrix":
            raise KeyError(name)
        return str(values[key])
    return EXPRESSION.sub(value, text)


def commands(text: str) -> list[list[str]]:
    """The words of each simple command."""
    words = shlex.shlex(text.replace("\n", " ; "), posix=True, punctuation_chars=True)
    words.whitespace_split = True
    groups = itertools.groupby(words, key=lambda word: set(word) <= set(";&|"))
    return [list(group) for separates, group in groups if not separates]


class Checker:
    def __init__(self, source: pathlib.Path) -> None:
        self.source = source
        self.labels = set()
        for file in (source / "tests").rglob("CMakeLists.txt"), (source / "tests").rglob("*.cmake"):
            for path in file:
                for found in re.findall(r'LABELS (?:"([^"]*)"|(\w+))', path.read_text(encoding="utf-8")):
                    self.labels |= set((found[0] or found[1]).split(";"))

    def script_problems(self, words: list[str]) -> list[str]:
        """What a script of the tree would refuse of its words."""
        path = self.source / words[0]
        if not path.is_file() or not path.stat().st_mode & 0o100:
            return [f"{words[0]} is no program in the tree"]
        text = path.read_text(encoding="utf-8")
        if "[ctest arguments]" in text:
            return self.ctest_problems(words[1:])
        return [f"{words[0]} does not know {word}" for word in words[1:] if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]

    def ctest_problems(self, words: list[str]) -> list[str]:
        if not words:
            return []
        if len(words) != 2 or words[0] != "-L":
            return [f"of ctest's arguments only -L LABELS is checked here, not {words}"]
        return [f"no test has the label {label}" for label in words[1].split("|") if label not in self.labels]

    def step_problems(self, step: dict, values: dict) -> list[str]:
        if "uses" in step:
            return [] if "@" in step["uses"] else [f"{step['uses']} names no version"]
        text = expand(step["run"], values)
        for value in step.get("env", {}).values():
            expand(str(value), values)
        shell = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
        if shell.returncode != 0:
            return [shell.stderr.strip()]
        called = [words for words in commands(text) if words[0].startswith(("scripts/", ".ci/"))]
        return [problem for words in called for problem in self.script_problems(words)]

    def job_problems(self, job: dict, values: dict) -> list[str]:
        missing = [key for key in ("runs-on", "timeout-minutes", "steps") if not job.get(key)]
        if missing:
            return [f"has no {', '.join(missing)}"]
        found = []
        for place, step in enumerate(job["steps"], 1):
            try:
                for key in ("name", "container"):
                    expand(str(job.get(key, "")), values)
                found += [f"step {place}: {problem}" for problem in self.step_problems(step, values)]
            except KeyError as error:
                found.append(f"step {place}: {error} has no value for {values}")
        return found

    def problems(self, text: str) -> list[str]:
        try:
            jobs = yaml.safe_load(text)["jobs"]
        except yaml.YAMLError as error:
            return [f"no YAML: {error}"]
        return [f"{name}: {problem}" for name, job in jobs.items() for values in combinations(job)
                for problem in self.job_problems(job, values)]


def compiler_problems(text: str, page: str) -> list[str]:
    """Where the table of docs/releasing.md names other compilers than the workflow."""
    run = {(values["image"], values["cxx"]) for values in combinations(yaml.safe_load(text)["jobs"]["compilers"])}
    told = {(image, name.strip().replace("clang ", "clang++-").replace("g++ ", "g++-"))
            for image, names in re.findall(r"^\| `([^`]+:[^`]+)` \| (.*) \|$", page, re.MULTILINE) for name in names.split(",")}
    return [f"docs/releasing.md and the workflow differ in {' on '.join(reversed(pair))}" for pair in sorted(run ^ told)]


def check_itself(checker: Checker, text: str) -> None:
    """What is wrong is found: each change of the workflow makes a problem that names it."""
    for old, new, words in ((".ci/run", ".ci/walk", ".ci/walk is no program"), (".ci/run", "scripts/setup --with-all", "does not know --with-all"),
                            ("matrix.packages", "matrix.package", "has no value"), ('"unit|golden|cli"', '"unit|silver"', "no test has the label silver"),
                            ("timeout-minutes: 120", "timeout-minutes:", "has no timeout-minutes"), ('"$PWD"', '"$PWD', "unexpected EOF"),
                            ("jobs:\n", "jobs: [\n", "no YAML"), ("actions/checkout@v4", "actions/checkout", "names no version")):
        if old not in text or not any(words in problem for problem in checker.problems(text.replace(old, new))):
            sys.exit(f"ci_workflow_test.py itself is wrong: '{new}' is not found")


def main(source: pathlib.Path) -> int:
    checker = Checker(source)
    text = (source / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    check_itself(checker, text)
    found = checker.problems(text) + compiler_problems(text, (source / "docs/releasing.md").read_text(encoding="utf-8"))
    print("\n".join(dict.fromkeys(found)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

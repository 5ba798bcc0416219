# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page in a scratch folder, one after the other."""
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from known_options import PROGRAMS, KnownOptions
from pages import TOOLS, Block, first_word, simple_commands
from stand_in import MOST_RANKS

HERE = pathlib.Path(__file__).resolve().parent
BUILTINS = set("cd export source . for while if unset wait test true".split())
OPTIONAL_MODULES = {name: name for name in ("torch", "numpy", "pandas", "matplotlib", "pyarrow", "yaml", "IPython")}
OPTIONAL_MODULES["busbar"] = "pandas"  # what our package imports
# What reads a file of a format of ours; exit code 2: wrong use.
FORMATS = {"busbar suite": ("suite", "show", "{file}", "--hosts", "a:2,b:2"),
           "busbar acceptance profile": ("accept", str(HERE.parent.parent / "golden/report/input/vm.jsonl"), "--profile", "{file}")}
# A command, with the folder and the exported variables that those before it left.
FRAME = """cd "$(cat "$STATE/folder")" && . "$STATE/variables"
{command}
code=$?
pwd > "$STATE/folder"; export -p > "$STATE/variables"
exit $code
"""


@dataclasses.dataclass
class Settings:
    source: pathlib.Path
    programs: pathlib.Path  # folder of busbar, busbar-bench, ...
    mpirun: pathlib.Path
    work: pathlib.Path
    full: bool

    def limit_s(self) -> float:
        return 900 if self.full else 60

    def until_interrupt_s(self) -> float:
        return 5 if self.full else 1.5


# An install command without a mark fails, and changes nothing on the machine that runs the test.
NO_INSTALLING = {"PIP_REQUIRE_VIRTUALENV": "1", "PIP_NO_INDEX": "1"}
# Fewer launches of commands that start others; what they start are stand-ins.
FEWER = ((r"repeat-launch \d+", "repeat-launch 2"), (r"busbar repeat (?!--launches)", "busbar repeat --launches 2 "),
         (r"(busbar repeat .*?--launches) \d+", r"\1 2"))


class Failure(Exception):
    """What went wrong, with the last lines of output."""


def write_stand_ins(settings: Settings, folder: pathlib.Path) -> None:
    """Programs of `folder` start the real ones through stand_in.py."""
    folder.mkdir(parents=True)
    kind = "real" if settings.full else "small"
    targets = [settings.programs / name for name in PROGRAMS if (settings.programs / name).exists()]
    for target in (*targets, settings.mpirun):
        script = folder / target.name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S -B "{HERE}/stand_in.py" {kind} "{target}" "$@"\n')
        script.chmod(0o755)
    if settings.mpirun.name != "mpirun":
        (folder / "mpirun").symlink_to(settings.mpirun.name)


def make_tree(settings: Settings) -> pathlib.Path:
    """What the repository looks like to a page: sources, and stand-ins where a build has its programs. Scripts are copied: they
    find programs, and write results, beside themselves."""
    tree = settings.work / "tree"
    shutil.copytree(settings.source / "scripts", tree / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    for entry in settings.source.iterdir():
        if entry.name not in (".git", "build", "scripts", "results", "site", "public"):
            (tree / entry.name).symlink_to(entry)
    write_stand_ins(settings, tree / "build/release/bin")
    return tree


def unpack_examples(settings: Settings, names: list[str]) -> pathlib.Path:
    """Records of reports/examples/NAME, below NAME/records."""
    folder = settings.work / "examples"
    for name in names:
        (folder / name).mkdir(parents=True)
        subprocess.run(["tar", "-xJf", settings.source / "reports/examples" / name / "records.tar.xz", "-C", folder / name], check=True)
    return folder


class PageFolder:
    """A scratch folder that looks like the repository, with the input records of a page in it."""

    def __init__(self, settings: Settings, page: str, tree: pathlib.Path, inputs: dict[str, pathlib.Path]) -> None:
        self.settings = settings
        self.path = settings.work / "pages" / page.removesuffix(".md").replace("/", "-")
        self.state = self.path.with_name(self.path.name + ".state")
        self.path.mkdir(parents=True)
        self.state.mkdir()
        for entry in tree.iterdir():
            (self.path / entry.name).symlink_to(entry)
        for name, source in inputs.items():
            self.take(name, source)
        self.background, self.groups = False, []
        (self.state / "folder").write_text(f"{self.path}\n")
        (self.state / "variables").write_text("")
        self.environment = os.environ | {
            "PATH": f"{tree}/build/release/bin:{os.environ['PATH']}", "STATE": str(self.state), "COLUMNS": "100",
            "PYTHON": sys.executable, "RANKS": str(MOST_RANKS["real" if settings.full else "small"]),
            "BUSBAR": f"{tree}/build/release/bin/busbar", "PYTHONPATH": f"{settings.source}/python", "PYTHONDONTWRITEBYTECODE": "1",
            **NO_INSTALLING, "BROWSER": "true", "MPLBACKEND": "agg"}

    def take(self, name: str, source: pathlib.Path) -> None:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)

    def write_file(self, name: str, text: str) -> None:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def run(self, text: str, exit_codes: set[int], interrupted: bool = False) -> None:
        """Throws Failure."""
        for pattern, fewer in () if self.settings.full else FEWER:
            text = re.sub(pattern, fewer, text)
        script = FRAME.format(command=text)
        self.background = self.background or re.search(r"[^&>]&\s*(#.*)?$", text, re.MULTILINE) is not None
        self.finish(["bash", "--norc", "-c", script], exit_codes, interrupted, str(self.path))

    def run_python(self, before: str, cells: dict[str, str]) -> None:
        """`cells`: by page:line, which tracebacks then name. Throws Failure."""
        program = before + "".join(f"exec(compile({text!r}, {place!r}, 'exec'))\n" for place, text in cells.items())
        self.finish([sys.executable, "-B", "-c", program], {0}, False, str(self.path))

    def finish(self, words: list[str], exit_codes: set[int], interrupted: bool, folder: str) -> None:
        """Waits for a command; its whole group of processes is ended where it takes too long."""
        with open(self.state / "output", "w+b") as output:
            process = subprocess.Popen(words, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       start_new_session=True)
            self.groups.append(process.pid)
            accepted = set(exit_codes)
            try:
                if interrupted:
                    accepted |= {130, -signal.SIGINT}
                    interrupt_later(process, self.settings.until_interrupt_s())
                code = process.wait(self.settings.limit_s())
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise Failure(f"took longer than {self.settings.limit_s():.0f} s{last_lines(output)}") from None
            if code not in accepted:
                raise Failure(f"exit code {code}, expected {' or '.join(map(str, sorted(exit_codes)))}{last_lines(output)}")

    def close(self) -> None:
        """Ends what commands with "&" left behind."""
        for group in self.groups if self.background else []:
            try:
                os.killpg(group, signal.SIGTERM)
            except ProcessLookupError:
                pass


def interrupt_later(process: subprocess.Popen, seconds: float) -> None:
    """As Ctrl-C does: to the whole group. Throws Failure where the command has ended by itself."""
    time.sleep(seconds)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)


def last_lines(output) -> str:
    output.seek(0)
    lines = output.read().decode(errors="replace").rstrip().split("\n")
    return "".join(f"\n    {line[:300]}" for line in lines[-12:])


def missing_tool(text: str, options: KnownOptions) -> str:
    """A tool of others, or an optional program or module of ours, that is not here; empty where all are."""
    if re.search(r"busbar figure .*(\.(pdf|svg|png)|--all)", text) and not options.has_module("cairo"):
        return "Cairo"
    for words in simple_commands(text):
        word = first_word(" ".join(words))
        if word in TOOLS - BUILTINS and not shutil.which(word):
            return word
        for name in re.findall(r"(?<![\w/.-])(?:\S*/bin/)?(busbar-[a-z]+-sim)(?![\w-])", " ".join(words)):
            if not options.is_built(name):
                return name
    return ""


def missing_module(text: str) -> str:
    """An optional Python module that a block imports and that is not here."""
    import importlib.util
    names = re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)
    needed = [OPTIONAL_MODULES[name] for name in names if name in OPTIONAL_MODULES]
    return next((name for name in needed if importlib.util.find_spec(name) is None), "")


def check_ours(value: object, busbar: pathlib.Path) -> None:
    """A suite or an acceptance profile is one that busbar takes. Throws Failure."""
    command = FORMATS.get(value.get("format", "") if isinstance(value, dict) else "")
    if not command:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(value, file)
        file.flush()
        done = subprocess.run([busbar, *(word.format(file=file.name) for word in command)], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise Failure(done.stderr.replace(file.name, "the block"))


def check_data(block: Block, busbar: pathlib.Path) -> None:
    """JSON, JSON Lines and YAML can be read. Throws Failure."""
    try:
        if block.language == "json":
            check_ours(json.loads(block.text()), busbar)
        elif block.language == "jsonl":
            for _, line in block.lines:
                json.loads(line)
        elif block.language == "yaml":
            import yaml
            yaml.safe_load(block.text())
    except ImportError:
        return
    except Failure:
        raise
    except Exception as error:  # of either library
        raise Failure(f"no {block.language}: {error}") from None

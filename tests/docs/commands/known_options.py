# SPDX-License-Identifier: Apache-2.0
"""Whether programs, options and files that a command names exist."""
import pathlib
import re
import subprocess

from pages import ENVIRONMENT, simple_commands

PROGRAMS = ("busbar", "busbar-bench", "busbar-train", "busbar-preflight", "busbar-bench-sim", "busbar-train-sim")
FLAGS = re.compile(r"^ +'(/?[\w/-]*)'\) flags='([^']*)'", re.MULTILINE)  # of a subcommand, in completions for bash
PASSED_TO = ("busbar-bench", "busbar-train")  # what scripts of scripts/launch pass words to, before and after "--"
LAUNCHERS = {"mpirun", "mpiexec", "srun", "sbatch", "qsub", "docker", "podman", "apptainer"}  # what follows is theirs
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?")
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")


class KnownOptions:
    """Options of programs, asked once each, and of scripts, by their text."""

    def __init__(self, source: pathlib.Path, programs: pathlib.Path) -> None:
        self.source, self.programs = source, programs
        self.tables: dict[str, dict[str, set[str]]] = {}
        self.texts: dict[str, str] = {}
        self.top = {path.name for path in source.iterdir() if path.is_dir() and not path.name.startswith((".", "build", "results"))}

    def is_built(self, program: str) -> bool:
        return (self.programs / program).exists()

    def has_module(self, name: str) -> bool:
        """An optional part of a build, such as cairo."""
        return (self.programs.parent / f"lib/busbar/busbar-{name}.so").exists()

    def table(self, program: str) -> dict[str, set[str]]:
        """Flags of each subcommand: {"/suite/run": {"--hosts", ...}}; "" is the program itself."""
        if program not in self.tables:
            text = subprocess.run([self.programs / program, "--write-document", "bash"], check=True, capture_output=True, text=True).stdout
            self.tables[program] = {path: set(flags.split()) for path, flags in FLAGS.findall(text)}
            if program.endswith("-sim"):  # also takes the words of the program that it simulates
                self.tables[program][""] = self.tables[program][""] | self.table(program.removesuffix("-sim"))[""]
        return self.tables[program]

    def script_text(self, script: str) -> str:
        """The script and the modules of scripts/ that it imports."""
        if script not in self.texts:
            text = (self.source / script).read_text(encoding="utf-8", errors="replace")
            for name in re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE):
                module = self.source / "scripts" / f"{name}.py"
                text += module.read_text(encoding="utf-8") if module.exists() else ""
            self.texts[script] = text + "--help -h"
        return self.texts[script]

    def knows(self, program: str, path: str, word: str) -> bool:
        option = word.split("=")[0]
        if "/" in program:
            return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", self.script_text(program)) is not None
        flags = self.table(program).get(path, set()) | ({"--help-all"} if path == "" else set())
        return option in flags or (not option.startswith("--") and option[:2] in flags)

    def problems(self, text: str) -> list[str]:
        """What is wrong with a command line; empty where nothing is."""
        return [problem for words in simple_commands(text) for problem in self.problems_of_words(words)]

    def problems_of_words(self, words: list[str]) -> list[str]:
        found, program, path, later = [], "", "", ""
        for word in words:
            named, wrong = self.program_named(word)
            if wrong:
                found.append(wrong)
                continue
            if named:
                program, path, later = named, "", ""
                if named.startswith("scripts/launch/"):
                    program, later = PASSED_TO
            elif word in LAUNCHERS:
                program = path = later = ""
            elif word == "--":
                program, later = later, ""
            elif program in PROGRAMS and not self.is_built(program):
                continue  # a build without it
            elif re.match(r"--?[A-Za-z]", word) and program and not re.search(r"\s", word):
                name = program if "/" in program else (program + path).replace("/", " ")
                found += [] if self.knows(program, path, word) else [f"{name} has no option {word.split('=')[0]}"]
            elif program in PROGRAMS and f"{path}/{word}" in self.table(program):
                path += f"/{word}"
            found += self.environment_problems(word) + self.file_problems(word)
        return found

    def program_named(self, word: str) -> tuple[str, str]:
        """The program or script that a word names, or what is wrong with it."""
        name = word.rpartition("/")[2]
        if re.fullmatch(r"(\S*/bin/)?busbar(-[a-z]+)*", word):
            return (name, "") if name in PROGRAMS else ("", f"no such program: {name}; there are {', '.join(PROGRAMS)}")
        script = word.removeprefix("./")
        if not re.fullmatch(r"(scripts|tests)/[\w./-]+", script) or "." in name and not script.endswith((".sh", ".sbatch", ".pbs")):
            return "", ""
        file = self.source / script
        if not file.exists():
            return "", f"no such script: {script}"
        return (script, "") if file.is_file() and file.stat().st_mode & 0o111 else ("", "")

    def environment_problems(self, word: str) -> list[str]:
        """Options in variables that scripts of scripts/launch pass on: BUSBAR_BENCH="-e 1G"."""
        if found := re.fullmatch(r"BUSBAR_(BENCH|TRAIN)=(.*)", word, re.DOTALL):
            return self.problems(f"busbar-{found[1].lower()} {found[2]}")
        return []

    def file_problems(self, word: str) -> list[str]:
        """Files of the repository are there; what commands write or users have is elsewhere."""
        path = ENVIRONMENT.sub("", word, count=1).removeprefix("./")
        if not PATH.fullmatch(path) or path.split("/")[0] not in self.top or PLACEHOLDER.search(path.replace("README", "")):
            return []
        return [] if (self.source / path).exists() else [f"no such file in the repository: {path}"]

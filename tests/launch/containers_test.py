#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""containers_test.py SOURCE_FOLDER BIN: compares scripts/launch/Dockerfile and busbar.def with each other, with the files in
the tree, and with the packages that apt knows here. Nothing is built."""
import pathlib
import re
import shutil
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
launch = source / "scripts/launch"
dockerfile = re.sub(r"\\\n", " ", (launch / "Dockerfile").read_text(encoding="utf-8"))
definition = re.sub(r"\\\n", " ", (launch / "busbar.def").read_text(encoding="utf-8"))
problems = []


def expect(holds: bool, what: str) -> None:
    if not holds:
        problems.append(what)


def steps(text: str) -> str:
    """Without comments."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def packages(text: str) -> set[str]:
    """What apt-get install is told, beside options and busbar's own package."""
    words = re.findall(r"apt-get install ([^&\n]*)", steps(text))
    return {word for line in words for word in line.split() if not word.startswith(("-", "/"))}


arguments = dict(re.findall(r"^ARG (\w+)=(\S+)", dockerfile, re.MULTILINE))
bases = [re.sub(r"\$\{(\w+)\}", lambda name: arguments[name[1]], base) for base in re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)]
expect(bases == re.findall(r"^From: (\S+)", definition, re.MULTILINE), f"bases differ: Dockerfile has {bases}")
expect(len(bases) == 2 and "-devel-" in bases[0] and "-runtime-" in bases[1], f"not a devel and a runtime base: {bases}")

for name, text in {"Dockerfile": dockerfile, "busbar.def": definition}.items():
    named = set(re.findall(r"\bscripts/[\w./-]+", text))
    expect(len(named) >= 2, f"{name}: it names {named} of scripts/")
    problems += [f"{name}: there is no {path}" for path in named if not (source / path).is_file()]
    preset = re.findall(r"cmake --preset (\w+)", text)
    expect(preset == ["release"], f"{name}: preset {preset}; cpack takes build/release")
    expect("cpack --config build/release/CPackConfig.cmake -B /packages" in text and " /packages/*.deb " in text,
           f"{name}: the package is not made and installed")
    expect(set(re.findall(r"PATH=\$PATH:(\S+)", text)) == {"/usr/share/busbar/launchers"}, f"{name}: PATH")
copied = re.findall(r"^COPY (--from=\w+ )?(\S+) ", dockerfile, re.MULTILINE)
problems += [f"Dockerfile: COPY of {path}, which is not here" for stage, path in copied if not stage and not (source / path).exists()]
problems += [f"Dockerfile: COPY of {path} from the build" for stage, path in copied if stage and path != "/packages/*.deb"]
expect((launch / "Dockerfile.dockerignore").is_file(), "no Dockerfile.dockerignore")

wanted = packages(dockerfile)
expect({"dpkg-dev", "file", "openmpi-bin", "rdma-core", "ibverbs-providers", "ucx-utils"} <= wanted, f"Dockerfile: packages {sorted(wanted)}")
expect(packages(definition) == wanted - {"openssh-server"}, f"busbar.def: packages {sorted(packages(definition))}")
if shutil.which("apt-cache"):
    shown = subprocess.run(["apt-cache", "show", "--no-all-versions", *sorted(wanted)], capture_output=True, text=True).stdout
    known = set(re.findall(r"^Package: (\S+)", shown, re.MULTILINE))
    if known:  # else apt has no lists here
        problems += [f"apt knows no package {name}" for name in sorted(wanted - known)]
sys.exit("\n".join(problems) if problems else 0)

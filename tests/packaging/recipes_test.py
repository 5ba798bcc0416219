#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""recipes_test.py SOURCE_FOLDER: compares packaging/, and every -DBUSBAR_... that scripts and pages name, with the options
that busbar's CMake files have, and looks whether Python packages are pinned by hash. No package manager is run."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
problems = []
cmake_files = [source / "CMakeLists.txt", *sorted(source.glob("scripts/cmake/*.cmake"))]
cmake = "\n".join(path.read_text(encoding="utf-8") for path in cmake_files)
options = set(re.findall(r"^option\((\w+)", cmake, re.MULTILINE)) | set(re.findall(r"^\s*set\((\w+) [^)]*\bCACHE\b", cmake, re.MULTILINE))
hints = set(re.findall(r"\b(\w+_ROOT)\b", cmake))
# CMake's own that recipes set
known = options | hints | {"BUILD_TESTING", "CMAKE_INSTALL_RPATH_USE_LINK_PATH", "CMAKE_CUDA_ARCHITECTURES"}
version = re.search(r"project\(busbar VERSION ([\d.]+)", cmake)[1]
if not {"BUSBAR_GPU", "BUSBAR_FETCH", "BUSBAR_PORTABLE"} <= options:
    problems.append(f"options were not read: {sorted(options)}")

spack = source / "packaging/spack/package.py"
text = spack.read_text(encoding="utf-8")
compile(text, str(spack), "exec")
passed = set(re.findall(r"self\.define(?:_from_variant)?\(\"(\w+)\"", text)) | set(re.findall(r"\"(\w+_ROOT)\"", text))
if len(passed) < 6:
    problems.append(f"{spack.name}: passes only {sorted(passed)}")
problems += [f"{spack.name}: passes {name}, which CMake does not have" for name in sorted(passed - known)]
if f'version("{version}")' not in text:
    problems.append(f"{spack.name}: has no version {version}")

(easyconfig,) = source.glob("packaging/easybuild/*.eb")
values = {}
exec(compile(easyconfig.read_text(encoding="utf-8"), str(easyconfig), "exec"), {}, values)  # EasyBuild reads it this way
if values["version"] != version or values["sources"] != [f"busbar-{version}.tar.gz"]:
    problems.append(f"{easyconfig.name}: is not of version {version}")
if easyconfig.name != f"busbar-{version}-{values['toolchain']['name']}-{values['toolchain']['version']}.eb":
    problems.append(f"{easyconfig.name}: the name is not that of its version and toolchain")
passed = set(re.findall(r"-D(\w+)=", values["configopts"]))
problems += [f"{easyconfig.name}: passes {name}, which CMake does not have" for name in sorted(passed - known)]

named = 0
pages = [source / "README.md", source / "AGENTS.md", source / "scripts/quickstart", *sorted((source / "docs").rglob("*.md"))]
for page in pages:
    for name in re.findall(r"-D(BUSBAR_\w+)", page.read_text(encoding="utf-8")):
        named += 1
        if name not in options:
            problems.append(f"{page.name}: names -D{name}, which CMake does not have")
if not named:
    problems.append("no page names an option")

hashed = 0
for path in sorted(source.glob("scripts/requirements*.txt")):
    lines = path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    for line in filter(lambda line: line and not line.startswith("#"), lines):
        hashed += 1
        if not re.fullmatch(r"[\w-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+", line):
            problems.append(f"{path.name}: not pinned by hash: {line}")
for name in ("setup", "quickstart"):
    for line in (source / "scripts" / name).read_text(encoding="utf-8").splitlines():
        if "-m pip install" in line and "--require-hashes" not in line:
            problems.append(f"{name}: does not ask for hashes: {line.strip()}")
# The libraries in the chart bundle, by the parts of the notice that hold their licenses.
notice = (source / "scripts" / "chart_bundle_notice.txt").read_text(encoding="utf-8")
parts = dict(zip(("BSD", "ISC", "MIT", "Apache", "public"), re.split(r"^(?:ISC|MIT|Apache) License.*$|^Public domain", notice, flags=re.MULTILINE)))
for part, names in {"BSD": ["Vega", "Vega-Lite", "Vega-Embed"], "ISC": ["D3", "internmap", "topojson-client", "delaunator", "semver"],
                    "MIT": ["fast-json-patch", "json-stringify-pretty-compact", "fast-deep-equal", "GeographicLib"],
                    "Apache": ["ColorBrewer"], "public": ["robust-predicates"]}.items():
    problems += [f"chart_bundle_notice.txt: no {name} under {part}" for name in names if name not in parts.get(part, "")]

if hashed < 10:
    problems.append(f"only {hashed} Python packages were found")
sys.exit("\n".join(problems) if problems else 0)

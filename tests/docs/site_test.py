#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/docs-site builds the site without a warning. The site has a page for each file of docs/ and each program, finds
options by its search, and loads nothing from elsewhere. A broken link or anchor ends the build.

usage: site_test.py SOURCE_FOLDER BUILD_FOLDER
Exit code 77 without MkDocs in .venv (scripts/setup --with-tests installs it).
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//[^>]*>|<link\b[^>]*\brel=[\"']?(?:stylesheet|icon|preconnect)[^>]*(?:https?:)?//[^>]*>", re.IGNORECASE)
SITE_PARTS = ("docs", "mkdocs.yml", "scripts/docs-site", "scripts/docs_site_hook.py")


def build_site(source: pathlib.Path, build: pathlib.Path, out: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run([source / "scripts/docs-site", "-b", build, "-o", out], capture_output=True, text=True)


def page_problems(source: pathlib.Path, build: pathlib.Path, out: pathlib.Path) -> list[str]:
    programs = [p.name for p in (build / "bin").glob("busbar*") if re.fullmatch(r"busbar(-bench|-train|-preflight)?", p.name)]
    pages = [str(page.relative_to(source / "docs").with_suffix(".html")) for page in (source / "docs").rglob("*.md")]
    pages += [f"reference/{name}.html" for name in programs]
    found = [f"no {page}" for page in pages if not (out / page).is_file()]
    if len(programs) != 4 or len(pages) < 30:
        found.append(f"only {len(pages)} pages and {programs}")
    for page in out.rglob("*.html"):
        found += [f"{page.relative_to(out)} loads {tag}" for tag in LOADED.findall(page.read_text(encoding="utf-8"))]
    index = json.loads((out / "search/search_index.json").read_text(encoding="utf-8"))
    if not any(entry["location"].startswith("reference/busbar-bench") and "--run-budget" in entry["text"] for entry in index["docs"]):
        found.append("the search does not find --run-budget among the options of busbar-bench")
    return found


def broken_site_problems(source: pathlib.Path, build: pathlib.Path, work: pathlib.Path) -> list[str]:
    """A copy with a missing page, a missing anchor, and links out of docs/, which are no problem."""
    for part in SITE_PARTS:
        copy = shutil.copytree if (source / part).is_dir() else shutil.copy
        (work / part).parent.mkdir(parents=True, exist_ok=True)
        copy(source / part, work / part)
    (work / ".venv").symlink_to(source / ".venv")
    with open(work / "docs/index.md", "a", encoding="utf-8") as page:
        page.write("\n[a](gone.md) [b](install.md#gone) [c](../README.md) [d](../docs/install.md)\n")
    done = build_site(work, build, work / "site")
    found = [f"not reported: {word}" for word in ("'gone.md'", "'#gone'") if word not in done.stderr]
    return found + ([] if done.returncode == 1 and "README" not in done.stderr else [f"exit code {done.returncode}: {done.stderr}"])


def wrong_use_problems(source: pathlib.Path, build: pathlib.Path, work: pathlib.Path) -> list[str]:
    done = build_site(source, build, work)
    kept = (work / "mkdocs.yml").exists()
    return [] if done.returncode == 2 and kept and "-o" in done.stderr else [f"-o with other files: exit code {done.returncode}: {done.stderr}"]


def main(source: pathlib.Path, build: pathlib.Path) -> int:
    python = source / ".venv/bin/python"
    if not python.exists() or subprocess.run([python, "-c", "import mkdocs, material"], capture_output=True).returncode != 0:
        print("skipped: no MkDocs in .venv; scripts/setup --with-tests installs it")
        return 77
    with tempfile.TemporaryDirectory() as name:
        out, work = pathlib.Path(name) / "out", pathlib.Path(name) / "work"
        done = build_site(source, build, out)
        found = page_problems(source, build, out) if done.returncode == 0 else [done.stdout + done.stderr]
        found += broken_site_problems(source, build, work) + wrong_use_problems(source, build, work)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))

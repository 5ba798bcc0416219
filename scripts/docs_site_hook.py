# SPDX-License-Identifier: Apache-2.0
"""What mkdocs.yml cannot say: pages of options, and links that leave docs/. scripts/docs-site sets BUSBAR_BIN.

Options: each program in BUSBAR_BIN writes its own page (--write-document markdown), which becomes reference/PROGRAM.md.
Links: a file of the repository outside docs/ has no page in the site. With repo_url, its link leads to the repository;
without, the link becomes the path as text.
"""
import os
import pathlib
import posixpath
import re
import subprocess

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

PROGRAMS = ("busbar-bench", "busbar-train", "busbar-preflight", "busbar", "busbar-bench-sim", "busbar-train-sim")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^()\s#]*)(#[^()\s]*)?\)")
FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def programs() -> list[pathlib.Path]:
    """Those that this build has: the last two need SimGrid."""
    folder = pathlib.Path(os.environ["BUSBAR_BIN"])
    return [folder / name for name in PROGRAMS if (folder / name).exists()]


def options_page(program: pathlib.Path) -> str:
    done = subprocess.run([program, "--write-document", "markdown"], capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout.startswith("# "):
        raise PluginError(f"{program}: writes no page of options: {done.stderr.strip()}")
    return done.stdout


def on_config(config):
    reference = next(section["Reference"] for section in config.nav if "Reference" in section)
    reference.insert(0, {"Command lines": [f"reference/{program.name}.md" for program in programs()]})
    return config


def on_files(files, config):
    for program in programs():
        files.append(File.generated(config, f"reference/{program.name}.md", content=options_page(program)))
    return files


def without_leaving(text: str, page: str, repository: str) -> str:
    """`text` of the page docs/`page` with links out of docs/ replaced, but not within fenced code."""
    def replaced(link: re.Match) -> str:
        words, target, anchor = link.groups()
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        if path.startswith("docs/"):
            return link[0]
        if repository:
            return f"[{words}]({repository.rstrip('/')}/blob/main/{path}{anchor or ''})"
        return words if path in words else f"{words} (`{path}`)"
    return "".join(part if part.startswith("```") else LINK.sub(replaced, part) for part in FENCE.split(text))


def on_page_markdown(markdown, page, config, files):
    return without_leaving(markdown, page.file.src_uri, config.repo_url or "")

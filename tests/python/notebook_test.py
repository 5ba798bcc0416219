#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cells of examples/notebooks/charts.ipynb and the Python code of docs/python.md run, in order, and draw charts that are not
empty. The notebook is stored without outputs, and its colours are those of the report. Skipped without pandas or matplotlib."""
import io
import json
import os
import pathlib
import re
import sys
import tarfile
import tempfile
import unittest
import warnings
from contextlib import redirect_stdout

try:
    import matplotlib
    import pandas  # noqa: F401: the notebook needs it
except ImportError as missing:
    print(f"skipped: no {missing.name}")
    sys.exit(77)

matplotlib.use("Agg")
import matplotlib.pyplot as plt

TOP = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = TOP / "examples/notebooks/charts.ipynb"
CHARTS = 9


def drawn() -> list:
    """The open figures, drawn; closes them."""
    figures = [plt.figure(number) for number in plt.get_fignums()]
    for figure in figures:
        figure.savefig(io.BytesIO(), format="png", dpi=40)
    plt.close("all")
    return figures


def is_empty(ax) -> bool:
    return not (ax.lines or ax.collections or ax.patches or ax.images)


def not_finite(ax) -> bool:
    """Whether a line has no point that can be drawn. The ends of a legend's own lines are empty."""
    return any(len(line.get_xdata()) and not pandas.Series(line.get_ydata(), dtype="float64").notna().any() for line in ax.lines)


class Notebook(unittest.TestCase):
    def setUp(self):
        self.notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        self.code = [cell for cell in self.notebook["cells"] if cell["cell_type"] == "code"]

    def test_is_stored_without_outputs(self):
        self.assertEqual([(cell["outputs"], cell["execution_count"]) for cell in self.code], [([], None)] * len(self.code))
        self.assertEqual((self.notebook["nbformat"], len({cell["id"] for cell in self.notebook["cells"]})), (4, len(self.notebook["cells"])))
        self.assertNotIn("image/png", NOTEBOOK.read_text(encoding="utf-8"))

    def test_is_valid(self):
        try:
            import nbformat
        except ImportError:
            self.skipTest("no nbformat")
        nbformat.validate(nbformat.read(NOTEBOOK, 4))

    def test_every_cell_runs_and_draws(self):
        os.chdir(NOTEBOOK.parent)
        names: dict = {}
        figures = []
        plt.show = lambda: figures.append(drawn())
        for cell in self.code:
            with self.subTest(cell=cell["id"]), warnings.catch_warnings():
                warnings.simplefilter("error", FutureWarning)
                exec(compile("".join(cell["source"]), f"{NOTEBOOK.name}:{cell['id']}", "exec"), names)
        self.assertEqual([len(shown) for shown in figures], [1] * CHARTS)
        for (figure,) in figures:
            for ax in figure.axes:
                self.assertFalse(is_empty(ax) or not_finite(ax), ax.get_title())
                self.assertTrue(ax.get_title())
        names["UNPACKED"].cleanup()

        css = (TOP / "reports/page/page.css").read_text(encoding="utf-8").partition("prefers-color-scheme: dark")[0]
        self.assertEqual(names["COLOURS"], re.findall(r"--line-\d: (#\w+)", css))


class HowTo(unittest.TestCase):
    def test_every_block_runs(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (TOP / "docs/python.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(TOP / "reports/examples/quickstart/records.tar.xz") as archive:
                archive.extractall(folder)
            os.rename(f"{folder}/records", f"{folder}/results")
            with open(f"{folder}/results/cut_off.jsonl", "w", encoding="utf-8") as file:
                file.write((TOP / "tests/golden/report/input/metal.jsonl").read_text(encoding="utf-8")[:-200])
            os.chdir(folder)
            names: dict = {}
            printed = []
            for number, block in enumerate(blocks):
                with self.subTest(block=block), redirect_stdout(io.StringIO()) as out:
                    exec(compile(block, f"docs/python.md, block {number}", "exec"), names)
                printed.append(out.getvalue())
            os.chdir(TOP)
        self.assertGreater(len(blocks), 7)
        self.assertFalse(any(is_empty(ax) for figure in drawn() for ax in figure.axes))
        self.check_printed(blocks, "".join(printed))
        self.assertIn("results/cut_off.jsonl: line", printed[-1])

    def check_printed(self, blocks, printed):
        """Comments behind print() are what it prints."""
        stated = [line.partition("  # ")[2] for block in blocks for line in block.splitlines() if line.startswith("print(") and "  # " in line]
        self.assertEqual([text for text in stated if text not in printed.splitlines()], [])
        self.assertGreater(len(stated), 1)


if __name__ == "__main__":
    unittest.main()

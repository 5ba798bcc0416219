# SPDX-License-Identifier: Apache-2.0
"""scripts/compare-pytorch-gpu with stand-ins for mpirun, busbar-train and PyTorch: what it prints, and its exit codes."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/compare-pytorch-gpu"
MPIRUN = """#!/bin/sh
[ "$1 $2" = "-np 1" ] || exit 3
shift 2
exec "$@"
"""
TRAIN = f"""#!{sys.executable}
import json, os, sys
out = sys.argv[sys.argv.index("--out") + 1]
open(os.environ["ORDER"], "a").write("busbar " + " ".join(sys.argv[1:]).replace(out, "FILE") + "\\n")
with open(out, "w") as file:
    for record in ({{"record": "run"}}, {{"record": "case", "status": "ok", "time_s": 0.1, "key": {{"bytes": 1}}}}):
        file.write(json.dumps(record) + "\\n")
"""
PYTHON = f"""#!{sys.executable}
import json, os, sys
if sys.argv[2] == "--version":
    print(os.environ.get("NO_GPU", ""), file=sys.stderr)
    sys.exit(77 if "NO_GPU" in os.environ else 0)
path = sys.argv[sys.argv.index("--path") + 1]
open(os.environ["ORDER"], "a").write(path + " " + " ".join(sys.argv[4:]) + "\\n")
middle = {{"eager": 0.2, "graph": 0.125}}[path]
print("a line before the result")
print(json.dumps({{"step_s": [0.9, middle, 0.01], "torch": "2.x", "cuda": "13", "cudnn": 91900, "gpu": "a GPU",
                   "optimiser": "fused"}}))
"""


class ComparePytorchGpu(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (("mpirun", MPIRUN), ("busbar-train", TRAIN), ("python", PYTHON)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def run_script(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        here = {name: str(self.folder / name) for name in ("mpirun", "python", "order")}
        command = [sys.executable, "-B", str(SCRIPT), "--bin", str(self.folder), "--mpirun", here["mpirun"], "--python",
                   here["python"], "--paths", "eager,graph", *arguments]
        return subprocess.run(command, capture_output=True, text=True,
                              env=os.environ | {"ORDER": here["order"]} | environment)

    def test_ratio_to_the_fastest_path(self) -> None:
        out = self.folder / "numbers.json"
        done = self.run_script("--launches", "2", "--steps", "15", "--json", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertRegex(done.stdout, r"(?m)^busbar +2560\.0 +0\.0% +100\.000$")
        self.assertRegex(done.stdout, r"(?m)^graph +2048\.0 +0\.0% +125\.000 +1\.250  - \(needs 6 launches\)$")
        self.assertIn("fastest path is graph", done.stdout)
        numbers = json.loads(out.read_text())
        self.assertEqual((numbers["fastest"], numbers["ratio"], numbers["interval"]), ("graph", 1.25, None))
        # A B C C B A, and the same step on both sides.
        order = [line.split(" ", 1) for line in (self.folder / "order").read_text().splitlines()]
        self.assertEqual([name for name, _ in order], ["busbar", "eager", "graph", "graph", "eager", "busbar"])
        same = "--batch 256 --image 224 --precision bf16 --warmup 20"
        self.assertEqual(order[0][1], f"--model resnet50 --compute cudnn {same} --steps 15 --out FILE")
        self.assertTrue(order[1][1].endswith(f"{same} --blocks 2"), order[1])

    def test_bar(self) -> None:
        done = self.run_script("--launches", "6", "--least", "1.3")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("1.250  1.250 to 1.250", done.stdout)
        self.assertIn("missed: busbar's rate is 1.250 of PyTorch's (graph), below 1.3", done.stdout)

    def test_no_gpu(self) -> None:
        done = self.run_script(NO_GPU="PyTorch 2.x finds no GPU")
        self.assertEqual((done.returncode, done.stdout), (77, ""), done)
        self.assertRegex(done.stderr, "^compare-pytorch-gpu: .*/python has no PyTorch that computes on a GPU; --python names "
                         r"another \(PyTorch 2.x finds no GPU\)\n$")

    def test_wrong_options(self) -> None:
        done = self.run_script("--paths", "mkldnn")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("'mkldnn' is no list of paths: each once of eager, graph, compiled", done.stderr)


unittest.main()

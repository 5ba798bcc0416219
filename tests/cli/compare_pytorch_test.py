# SPDX-License-Identifier: Apache-2.0
"""scripts/compare-pytorch and scripts/compare-pytorch-gpu with stand-ins for mpirun, busbar-train and PyTorch: output and
exit codes."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
MPIRUN = """#!/bin/sh
[ "$1 $2" = "-np ${RANKS:-1}" ] || exit 3
shift 2
exec "$@"
"""
TRAIN = f"""#!{sys.executable}
import json, os, sys
out = sys.argv[sys.argv.index("--out") + 1]
open(os.environ["ORDER"], "a").write("busbar " + " ".join(sys.argv[1:]).replace(out, "FILE") + "\\n")
status, time_s = os.environ.get("STATUS", "ok"), float(os.environ["BUSBAR_STEP_S"])
with open(out, "w") as file:
    for record in ({{"record": "run"}}, {{"record": "case", "status": status, "time_s": time_s, "key": {{"bytes": 1}}}}):
        file.write(json.dumps(record) + "\\n")
"""
# Of three steps the median is `middle`, unlike the mean.
PYTHON = f"""#!{sys.executable}
import json, os, sys
if sys.argv[2] == "--version":
    print(os.environ.get("NO_GPU", ""), file=sys.stderr)
    sys.exit(77 if "NO_GPU" in os.environ else 0)
path = sys.argv[sys.argv.index("--path") + 1] + ("+malloc" if "MALLOC_MMAP_MAX_" in os.environ else "")
open(os.environ["ORDER"], "a").write(path + " " + " ".join(sys.argv[4:]) + "\\n")
middle = json.loads(os.environ["PYTORCH_STEP_S"])[path]
print("a line before the result")
allocator = {{name: value for name, value in os.environ.items() if name.startswith("MALLOC_")}}
print(json.dumps({{"step_s": [9.0, middle, 0.01], "allocator": allocator, **json.loads(os.environ["PYTORCH_FACTS"])}}))
"""


class StandIns:
    """Stand-ins for both scripts. A test case names its script and what the stand-ins answer."""

    script: str
    busbar_step_s: float
    pytorch_step_s: dict[str, float]
    pytorch_facts: dict[str, object]

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (("mpirun", MPIRUN), ("busbar-train", TRAIN), ("python", PYTHON)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def run_script(self, *arguments: str, python: str | None = None, **environment: str) -> subprocess.CompletedProcess:
        here = {name: str(self.folder / name) for name in ("mpirun", "python", "order")}
        command = [sys.executable, "-B", str(SCRIPTS / self.script), "--bin", str(self.folder), "--mpirun", here["mpirun"],
                   "--python", python or here["python"], "--paths", ",".join(self.pytorch_step_s), *arguments]
        answers = {"BUSBAR_STEP_S": str(self.busbar_step_s), "PYTORCH_STEP_S": json.dumps(self.pytorch_step_s),
                   "PYTORCH_FACTS": json.dumps(self.pytorch_facts)}
        return subprocess.run(command, capture_output=True, text=True,
                              env=os.environ | {"ORDER": here["order"]} | answers | environment)

    def read_order(self) -> tuple[list[str], list[str]]:
        """The launches in their order: whose step it was, and its arguments."""
        order = [line.split(" ", 1) for line in (self.folder / "order").read_text().splitlines()]
        return [name for name, _ in order], [arguments for _, arguments in order]


class ComparePytorch(StandIns, unittest.TestCase):
    script = "compare-pytorch"
    busbar_step_s = 1.0
    pytorch_step_s = {"contiguous": 2.0, "channels_last": 1.25}
    pytorch_facts = {"torch": "2.x", "onednn": None, "instructions": "AVX2", "optimiser": "fused"}

    def test_ratio_to_the_fastest_path(self) -> None:
        out = self.folder / "numbers.json"
        done = self.run_script("--launches", "2", "--steps", "3", "--json", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertRegex(done.stdout, r"(?m)^busbar +8\.000 +0\.0% +1000\.0$")
        self.assertRegex(done.stdout, r"(?m)^channels_last +6\.400 +0\.0% +1250\.0 +1\.250  - \(needs 6 launches\)$")
        self.assertRegex(done.stdout, r"(?m)^contiguous +4\.000 +0\.0% +2000\.0 +2\.000  ")
        self.assertIn("fastest path is channels_last", done.stdout)
        numbers = json.loads(out.read_text())
        self.assertEqual((numbers["fastest"], numbers["ratio"], numbers["interval"]), ("channels_last", 1.25, None))
        self.assertEqual(numbers["rows"]["contiguous"]["step_s"], [2.0, 2.0])
        # A B C C B A, and the same step on both sides.
        names, arguments = self.read_order()
        self.assertEqual(names, ["busbar", "contiguous", "channels_last", "channels_last", "contiguous", "busbar"])
        same = "--batch 8 --image 224 --threads 1 --steps 3 --warmup 3"
        self.assertEqual(arguments[0], f"--model resnet50 {same} --out FILE")
        self.assertTrue(arguments[1].endswith(same), arguments[1])

    def test_interval_from_six_launches(self) -> None:
        self.assertIn("1.250  1.250 to 1.250", self.run_script("--launches", "6").stdout)

    def test_bar(self) -> None:
        done = self.run_script("--launches", "1", "--least", "1.3")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("missed: busbar's rate is 1.250 of PyTorch's (channels_last), below 1.3", done.stdout)
        self.assertEqual(self.run_script("--launches", "1", "--least", "1.3", "--no-bars").returncode, 0)

    def test_case_that_was_not_measured(self) -> None:
        done = self.run_script("--launches", "1", STATUS="failed")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertRegex(done.stderr, "^compare-pytorch: busbar-train .* did not measure every case\n$")

    def test_allocators_of_both_sides(self) -> None:
        self.pytorch_step_s = {"contiguous": 2.0, "contiguous+malloc": 1.5}
        out = self.folder / "numbers.json"
        done = self.run_script("--launches", "1", "--json", str(out), MALLOC_ARENA_MAX="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertIn("\nallocator of busbar, contiguous: MALLOC_ARENA_MAX=1\n", done.stdout)
        tuned = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "100000000000"}
        text = " ".join(f"{name}={value}" for name, value in tuned.items())
        self.assertIn(f"\nallocator of contiguous+malloc: {text}\n", done.stdout)
        self.assertIn("fastest path is contiguous+malloc", done.stdout)
        plain = {"MALLOC_ARENA_MAX": "1"}
        self.assertEqual(json.loads(out.read_text())["allocator"],
                         {"busbar": plain, "contiguous": plain, "contiguous+malloc": tuned})

    def test_preloaded_allocator(self) -> None:
        done = self.run_script("--launches", "1", LD_PRELOAD="", GLIBC_TUNABLES="glibc.malloc.arena_max=1")
        self.assertRegex(done.stdout, "(?m)^allocator of busbar: GLIBC_TUNABLES=glibc.malloc.arena_max=1 LD_PRELOAD=$")

    def test_two_ranks(self) -> None:
        out = self.folder / "numbers.json"
        done = self.run_script("--launches", "1", "--np", "2", "--json", str(out), RANKS="2")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertRegex(done.stdout, r"(?m)^2 ranks: busbar over MPI, PyTorch's DistributedDataParallel over gloo$")
        self.assertRegex(done.stdout, r"(?m)^busbar +16\.000 ")
        self.assertRegex(done.stdout, r"(?m)^channels_last +12\.800 .* 1\.250 ")
        _, arguments = self.read_order()
        self.assertRegex(arguments[0], " --scale 2 --out FILE$")
        self.assertRegex(arguments[1], " --ranks 2 --rendezvous /.*/ranks$")
        self.assertEqual(json.loads(out.read_text())["options"]["np"], 2)

    def test_no_torch(self) -> None:
        (self.folder / "torch.py").write_text("raise ImportError('libcudart.so.13: cannot open shared object file')\n")
        done = self.run_script(python=sys.executable, PYTHONPATH=str(self.folder))
        self.assertEqual((done.returncode, done.stdout), (77, ""), done)
        self.assertEqual(done.stderr, f"compare-pytorch: no torch in {sys.executable}; install it into a virtual "
                         "environment and give --python (ImportError: libcudart.so.13: cannot open shared object "
                         "file)\n")
        done = self.run_script(python="/no/python3")
        self.assertEqual(done.returncode, 77, done)
        self.assertIn("no torch in /no/python3; install it", done.stderr)

    def test_wrong_options(self) -> None:
        done = self.run_script("--paths", "channels_first")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("'channels_first' is no list of paths: each once of channels_last, contiguous", done.stderr)
        self.assertEqual(self.run_script("--np", "0").returncode, 2)


class ComparePytorchGpu(StandIns, unittest.TestCase):
    script = "compare-pytorch-gpu"
    busbar_step_s = 0.1
    pytorch_step_s = {"eager": 0.2, "graph": 0.125}
    pytorch_facts = {"torch": "2.x", "cuda": "13", "cudnn": 91900, "gpu": "a GPU", "optimiser": "fused"}

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
        names, arguments = self.read_order()
        self.assertEqual(names, ["busbar", "eager", "graph", "graph", "eager", "busbar"])
        same = "--batch 256 --image 224 --precision bf16 --warmup 20"
        self.assertEqual(arguments[0], f"--model resnet50 --compute cudnn {same} --steps 15 --out FILE")
        self.assertTrue(arguments[1].endswith(f"{same} --blocks 2"), arguments[1])

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

# SPDX-License-Identifier: Apache-2.0
"""scripts/vm-study with a lab that runs everything on this host: which launches it makes, what records say, that it resumes,
and the pages. What a real lab does is tested by lab_machines_test. Programs: BUSBAR_BIN."""
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from unittest import mock

import studies

SCRIPT = pathlib.Path(studies.__file__).parent / "vm-study"
LOADER = importlib.machinery.SourceFileLoader("vm_study", str(SCRIPT))
vm_study = importlib.util.module_from_spec(importlib.util.spec_from_loader("vm_study", LOADER))
LOADER.exec_module(vm_study)

# up: says what scripts/lab says; run WORDS and exec HOST WORDS: on this host.
LAB = """#!/usr/bin/env bash
command=$1; shift
for word in "$@"; do
  [[ "$last" == --host || "$word" == --host ]] || words+=("$word")
  last=$word
done
case $command in
  up) echo "$BUSBAR_LAB $*" >> "$LAB_CALLS"; echo "QEMU 9.9 with KVM; Linux 6.1" ;;
  run) exec mpirun --oversubscribe "${words[@]}" ;;
  exec) exec "${words[@]:1}" ;;
  down) echo "$BUSBAR_LAB down" >> "$LAB_CALLS" ;;
esac
"""
SMALL = vm_study.Amount(["allreduce", "--sizes", "8", "-n", "3", "--noise", "0"],
                        ["--compute", "replay", "--tflops", "100", "--batch", "1", "-n", "1", "-w", "1", "--noise", "0"], 10, 2)


class VmStudy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        script = self.dir / "lab"
        script.write_text(LAB)
        script.chmod(0o755)
        self.calls = self.dir / "calls"
        before = studies.Lab.__init__

        def with_script(lab, *words, **more):
            before(lab, *words, **more)
            lab.script = str(script)

        for patch in (mock.patch.object(studies.Lab, "__init__", with_script), mock.patch.object(vm_study, "SHORT", SMALL),
                      mock.patch.dict(os.environ, LAB_CALLS=str(self.calls)), mock.patch.object(vm_study, "YIELDS", []),
                      mock.patch("sys.stdout", io.StringIO())):
            patch.start()
            self.addCleanup(patch.stop)

    def study(self, *words):
        study = vm_study.Study(vm_study.parse(["--short", "--dir", str(self.dir / "out"), *words]))
        (self.dir / "out").mkdir(exist_ok=True)
        study.measure()
        study.pages()
        return study

    def records(self, part):
        return {path.name: json.loads(path.read_text().splitlines()[0]) for path in (self.dir / "out" / part).glob("*.jsonl")}

    def test_sigterm_takes_the_lab_down(self):
        before = signal.getsignal(signal.SIGTERM)
        with self.assertRaises(KeyboardInterrupt), studies.Lab("ended", []):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(5)
        self.assertEqual(self.calls.read_text().splitlines()[-1], "ended down")
        self.assertEqual(signal.getsignal(signal.SIGTERM), before)

    def test_both_sides_are_launched_in_turns_and_compared(self):
        study = self.study("--parts", "shared-memory,published")
        self.assertEqual(study.failed, [], study.log.read_text())
        records = self.records("shared-memory")
        self.assertEqual(sorted(records), [f"{side}-{kind}-0{n}.jsonl" for side in ("VM", "host") for kind in ("bench", "train") for n in (1, 2)])
        for name, run in records.items():
            self.assertEqual(run["labels"], {"platform": name.split("-")[0], "place": "shared-memory"})
        page = (self.dir / "out" / "report.html").read_text()
        self.assertIn("QEMU 9.9 with KVM", page)
        self.assertNotIn("EMULATED", page)
        self.assertIn("VMware", (self.dir / "out" / "published.html").read_text())
        self.assertRegex(self.calls.read_text(), r"vm-study-one 1 --vm --accel auto --vcpus 2 .*--pin \d+,\d+\nvm-study-one down\n$")

    def test_goes_on_where_it_was_stopped(self):
        stranger = self.dir / "busbar-train"
        shutil.copy("/bin/sleep", stranger)
        other = subprocess.Popen([stranger, "300"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.study("--parts", "tenants", "--launches", "1")
        self.assertIsNone(other.poll(), "ended a training of others")
        first = {path: path.stat().st_mtime_ns for path in (self.dir / "out" / "tenants").glob("*.jsonl")}
        self.assertEqual(len(first), 3)
        lost = next(path for path in first if path.name.startswith("alone"))
        lost.write_text(lost.read_text().splitlines()[0] + "\n")  # it was stopped in this one
        self.study("--parts", "tenants", "--launches", "1")
        again = {path for path in first if path.stat().st_mtime_ns != first[path]}
        self.assertEqual(again, {lost})
        self.assertEqual({run["labels"]["tenants"] for run in self.records("tenants").values()},
                         {"alone", "two pinned", "two floating"})

    def test_says_first_that_machines_were_emulated(self):
        study = vm_study.Study(vm_study.parse(["--short", "--dir", str(self.dir)]))
        study.accelerator = "QEMU 7.2 emulating the CPU (TCG, as with KVM: there is no /dev/kvm); Linux 6.1"
        self.assertRegex(study.notes()[0], "^EMULATED.*there is no /dev/kvm.*not|nothing on this page is what virtualisation costs")
        self.assertEqual(study.train(2)[-8:], vm_study.EMULATED_TRAIN)

    def test_names_what_is_wrong(self):
        for words, said in ((["--parts", "both"], "--parts: 'both' is none of shared-memory"), (["--ranks", "1"], "--ranks: 1 is not from 2 to"),
                            (["--launches", "0"], "--launches: at least 1")):
            with mock.patch("sys.stderr", io.StringIO()) as stderr, self.assertRaises(SystemExit) as raised:
                vm_study.parse(words)
            self.assertEqual(raised.exception.code, 2)
            self.assertIn(said, stderr.getvalue())


if __name__ == "__main__":
    unittest.main()

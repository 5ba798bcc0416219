# SPDX-License-Identifier: Apache-2.0
"""A ReFrame check (ReFrame 4): launches busbar-bench, reports busbw of each size as performance figures, and compares
the record with a history of launches, if set.

    reframe -c scripts/ci/reframe_busbar.py -r -S BusbarAllreduce.busbar_home=/opt/busbar -S BusbarAllreduce.history=/var/lib/busbar

System and user set the launcher, its options and the number of nodes: -S num_tasks=8, -J --gres=gpu:4, ...
ReFrame's references would compare each figure with a fixed share; the gate knows the launch-to-launch variation.
"""
import json
import pathlib

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import run_before, sanity_function, variable


@rfm.simple_test
class BusbarAllreduce(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 2
    busbar_home = variable(str, value="/opt/busbar")
    arguments = variable(str, value="-b 64K -e 64M")  # such as "--backend nccl -b 64K -e 1G"
    history = variable(str, value="")                 # folder from busbar baseline add; empty: no comparison
    max_regression = variable(str, value="5")
    record = "record.jsonl"

    @run_before("run")
    def set_up(self) -> None:
        programs = pathlib.Path(self.busbar_home) / "build/release/bin"
        self.executable = str(programs / "busbar-bench")
        self.executable_opts = ["allreduce", *self.arguments.split(), "--out", self.record]
        if self.history:
            self.postrun_cmds = [f"{programs}/busbar gate --baseline {self.history} --current {self.record} --last 50 "
                                 f"--max-regression {self.max_regression} --inconclusive pass", "echo gate: $?"]

    @sanity_function
    def measured(self):
        passed = sn.assert_found(r"run ended: ok", self.stdout)
        return sn.all([passed, sn.assert_found(r"^gate: 0$", self.stdout)]) if self.history else passed

    @run_before("performance")
    def figures(self) -> None:
        lines = (pathlib.Path(self.stagedir) / self.record).read_text(encoding="utf-8").splitlines()
        for case in (r for r in map(json.loads, lines) if r["record"] == "case" and r["status"] == "ok"):
            value = sn.defer(case["busbw_GBps"] or 0)
            self.perf_variables[f"busbw_{case['key']['bytes']}B"] = sn.make_performance_function(value, "GB/s")

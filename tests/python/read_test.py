#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""busbar.read() and its like: what becomes of each kind of record, and which files are refused. Skipped without pandas."""
import copy
import functools
import json
import pathlib
import sys
import tempfile
import unittest

try:
    import pandas as pd
except ImportError:
    print("skipped: no pandas")
    sys.exit(77)

import busbar

TESTS = pathlib.Path(__file__).resolve().parents[1]
GOLDEN = TESTS / "golden/report/input"
PUBLISHED = TESTS.parent / "reports/examples/published/records"

RUN = {"record": "run", "schema": 1, "id": "A", "resumes": None, "origin": "measured", "tool": {"name": "busbar-bench"},
       "start_utc": "2026-01-31T12:00:00Z", "labels": {"platform": "vm"}, "ranks": 2, "nodes": 1,
       "method": {"rank_rule": "slowest", "statistic": "median_of_rounds", "stop": {"run_budget_s": None}},
       "hosts": [{"name": "a", "lab": None, "virtualisation": "KVM", "container": None}]}
CASE = {"record": "case", "index": 0, "id": "allreduce/8", "status": "ok", "reason": None, "time_s": 2e-6, "algbw_GBps": 0.004,
        "busbw_GBps": 0.004, "samples_taken": 3, "samples_s": [1e-6, 2e-6, 3e-6],
        "key": {"kind": "collective", "collective": "allreduce", "backend": "mpi", "type": "fp32", "op": "sum", "root": None,
                "bytes": 8, "in_place": False, "ranks": 2, "nodes": 1, "group": "world", "training": None},
        "interval_s": {"low": 1e-6, "high": 3e-6, "confidence": 0.95}, "check": {"state": "passed"},
        "ranks": [{"rank": 0, "min_s": 1e-6, "median_s": 2e-6, "max_s": 3e-6}], "remarks": ["One.", "Two."],
        "arrival": {"skew_s": 1e-7, "transfer_s": 1e-6, "late": []},
        "rounds": [{"at_s": 0.5, "samples": 5, "kept": 2, "median_s": 1.5e-6, "contended": None},
                   {"at_s": 1.5, "samples": 1, "kept": 1, "median_s": 3e-6, "contended": True}]}
END = {"record": "end", "status": "ok", "exit_code": 0}


def case(index=0, **changes):
    return copy.deepcopy(CASE) | {"index": index} | changes


def paths(value, above=()):
    """Keys and indexes of each value within `value`."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, part in inside for path in [(*above, key), *paths(part, (*above, key))]]


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, *lines, name="x.jsonl", end="\n"):
        path = self.folder / name
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + end, encoding="utf-8")
        return path

    def refused(self, text, *lines, **how):
        path = self.write(*lines, **how)
        with self.assertRaises(busbar.RecordError) as caught:
            busbar.read(path)
        self.assertEqual(str(caught.exception), f"{path}:{text}")


class Values(Records):
    def test_a_case_is_a_row_with_units_in_names(self):
        frame = busbar.read(self.write(RUN, CASE, END))
        row = frame.iloc[0]
        self.assertEqual((row.run_id, row.origin, row["label.platform"], row.collective, row.size_bytes, row.time_s, row.busbw_GBps),
                         ("A", "measured", "vm", "allreduce", 8, 2e-6, 0.004))
        self.assertEqual((row.interval_low_s, row.interval_high_s, row.confidence), (1e-6, 3e-6, 0.95))
        self.assertEqual((row.hosts, row.virtualisation, row.run_status, row.status, row.rounds), (1, "KVM", "ok", "ok", 2))
        self.assertEqual(row.start_utc, pd.Timestamp("2026-01-31T12:00:00", tz="UTC"))
        self.assertEqual(row.remarks, "One.; Two.")
        self.assertEqual(frame.attrs["notes"], [])

    def test_units_and_meanings_are_those_of_the_names(self):
        attrs = busbar.read(GOLDEN / "training.jsonl").attrs
        units = {name: attrs["units"].get(name) for name in ("time_s", "busbw_GBps", "size_bytes", "samples_per_s_low", "efficiency", "ranks")}
        self.assertEqual(units, {"time_s": "s", "busbw_GBps": "GB/s", "size_bytes": "B", "samples_per_s_low": "samples/s",
                                 "efficiency": None, "ranks": None})
        self.assertTrue(attrs["meanings"]["busbw_GBps"].startswith("Bus bandwidth"))

    def test_every_number_whose_name_states_a_unit_has_it(self):
        columns = busbar.columns()
        for name, unit in zip(columns.name, columns.unit):
            last = name.split(".")[-1]
            if last.endswith(("_s", "_GBps", "_bytes")):
                self.assertIsNotNone(unit, name)

    def test_unknown_is_missing_and_types_stay(self):
        frame = busbar.read(self.write(RUN, case(time_s=None, interval_s=None, status="skipped", reason="no memory"), END))
        row = frame.iloc[0]
        self.assertTrue(all(pd.isna(row[name]) for name in ("time_s", "interval_low_s", "root", "efficiency", "lab", "launch_number")))
        self.assertEqual(row.reason, "no memory")
        types = {name: str(frame[name].dtype) for name in ("root", "time_s", "in_place", "ranks", "size_bytes")}
        self.assertEqual(types, {"root": "Int64", "time_s": "float64", "in_place": "boolean", "ranks": "int64", "size_bytes": "int64"})

    def test_no_origin_is_lost(self):
        lab = [{"name": "a", "lab": "network namespaces, 1gbit", "virtualisation": "QEMU"}]
        self.write(RUN | {"origin": "imported"}, case(), name="1.jsonl")
        self.write(RUN | {"simulation": {"simulator": "SimGrid SMPI"}}, case(), name="2.jsonl")
        self.write(RUN | {"hosts": lab}, case(), name="3.jsonl")
        frame = busbar.read(self.folder)
        self.assertEqual(frame.origin.tolist(), ["imported", "simulated", "measured"])
        self.assertEqual(frame.lab.tolist(), [None, None, "network namespaces, 1gbit"])
        self.assertEqual(frame.virtualisation.tolist(), ["KVM", "KVM", "QEMU"])

    def test_further_values_by_name(self):
        frame = busbar.read(self.write(RUN | {"environment": {"NCCL_DEBUG": "INFO"}, "argv": ["a", "b"]}, CASE, END),
                            more=["arrival.skew_s", "run.environment", "end.exit_code", "time_s"])
        row = frame.iloc[0]
        self.assertEqual((row["arrival.skew_s"], row["run.environment.NCCL_DEBUG"], row["end.exit_code"]), (1e-7, "INFO", 0))
        self.assertEqual(frame.attrs["units"]["arrival.skew_s"], "s")
        self.assertEqual(list(frame.columns).count("time_s"), 1)
        with self.assertRaisesRegex(KeyError, "more: no column 'arrival.skew'; near: arrival.skew_s"):
            busbar.read(self.folder, more=["arrival.skew"])

    def test_every_value_can_be_asked_for(self):
        frame = busbar.read(self.write(RUN, CASE), more=busbar.columns().name)
        self.assertTrue(pd.isna(frame["end.exit_code"][0]) and pd.isna(frame["launch.wall_s"][0]))
        self.assertEqual(busbar.read(self.write(RUN, CASE), more="wall_s").columns[-1], "wall_s")

    def test_words_of_a_later_version_are_unknown(self):
        self.assertEqual(busbar.read(self.write(RUN, case(check={"state": "sampled"}))).check[0], "unknown")

    def test_training_has_its_own_columns(self):
        frame = busbar.read(PUBLISHED)
        self.assertEqual(set(frame.kind), {"training"})
        self.assertEqual(set(frame.origin), {"imported"})
        self.assertEqual(frame[frame["label.platform"] == "VM"].ranks.tolist(), [1, 2, 4])
        self.assertTrue((frame.samples_per_s > 0).all() and frame.efficiency.notna().any())

    def test_all_golden_records(self):
        self.assertEqual(set(busbar.read([GOLDEN, GOLDEN / "study"]).kind), {"collective", "training", "copy"})


class Lists(Records):
    def test_rounds(self):
        frame = busbar.read_rounds(self.write(RUN, CASE, END))
        self.assertEqual(frame[["round", "at_s", "kept", "median_s"]].values.tolist(), [[1, 0.5, 2, 1.5e-6], [2, 1.5, 1, 3e-6]])
        self.assertEqual((frame.collective.tolist(), frame["label.platform"].tolist()), (["allreduce"] * 2, ["vm"] * 2))
        self.assertTrue(pd.isna(frame.contended[0]) and frame.contended[1])

    def test_samples_know_their_rounds(self):
        frame = busbar.read_samples(self.write(RUN, CASE, case(1, rounds=[]), END))
        self.assertEqual(frame.sample_s.tolist(), CASE["samples_s"] * 2)
        self.assertEqual(frame["round"].fillna(0).tolist(), [1, 1, 2, 0, 0, 0])
        self.assertEqual(frame["sample"].tolist(), [1, 2, 3] * 2)

    def test_ranks(self):
        self.assertEqual(busbar.read_ranks(self.write(RUN, CASE, END))[["rank", "median_s"]].values.tolist(), [[0, 2e-6]])

    def test_none_is_a_frame_without_rows(self):
        path = self.write(RUN, case(rounds=[], samples_s=[], ranks=[]), END)
        for read in (busbar.read_rounds, busbar.read_samples, busbar.read_ranks):
            self.assertEqual(len(read(path)), 0)
            self.assertIn("size_bytes", read(path).columns)

    def test_load_gives_the_lines(self):
        (run,) = busbar.load(self.write(RUN, CASE, END))
        self.assertEqual((run.run, run.cases, run.end, run.launch), (RUN, [CASE], END, None))


class Files(Records):
    def test_paths_folders_patterns_and_lists(self):
        for name in ("b.jsonl", "a.jsonl", "other.txt"):
            self.write(RUN | {"id": name}, CASE, END, name=name)
        both = ["a.jsonl", "b.jsonl"]
        for files in (self.folder, str(self.folder), f"{self.folder}/*.jsonl", [self.folder / "a.jsonl", f"{self.folder}/[b].jsonl"],
                      [self.folder, f"{self.folder}/a.jsonl"]):
            self.assertEqual(busbar.read(files).run_id.tolist(), both, files)

    def test_nothing_there_is_an_error(self):
        (self.folder / "empty").mkdir()
        for name, text in (("no.jsonl", "No such file"), ("*.jsonl", "no file matches this pattern"), ("empty", "no record")):
            with self.assertRaisesRegex(FileNotFoundError, text):
                busbar.read(self.folder / name)

    def test_cases_are_in_the_order_of_the_plan(self):
        self.assertEqual(busbar.read(self.write(RUN, case(2), case(0), case(1), END)).case_index.tolist(), [0, 1, 2])

    def test_a_line_that_is_cut_off_is_noted(self):
        path = self.write(RUN, CASE, json.dumps(case(1))[:100], end="")
        frame = busbar.read(path)
        self.assertEqual(frame.case_index.tolist(), [0])
        self.assertEqual(frame.attrs["notes"], [f"{path}: line 3 is cut off: the run was ended while it was written",
                                                f"{path}: no end record: the run ended before all cases were measured"])
        self.assertTrue(pd.isna(frame.run_status[0]))

    def test_a_record_that_is_being_written(self):
        import fcntl
        path = self.write(RUN, CASE, json.dumps(case(1))[:100], end="")
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.assertEqual(busbar.read(path).attrs["notes"],
                             [f"{path}: line 3 was being written when it was read", f"{path}: the run is still writing it"])
            path.write_bytes(b"")
            with self.assertRaisesRegex(busbar.RecordError, "has no record yet, the run is still writing it"):
                busbar.read(path)

    def test_unfinished_cases_beside_a_record(self):
        path = self.write(RUN, case(0), case(2))
        self.write(RUN, case(0, time_s=9.0), case(1, ended_by="unfinished"), name="x.jsonl.unfinished")
        frame = busbar.read(path)
        self.assertEqual((frame.case_index.tolist(), frame.ended_by.tolist()), ([0, 1, 2], [None, "unfinished", None]))
        self.assertEqual(frame.time_s[0], 2e-6)
        self.assertIn(f"{path}: 1 case that had not ended: in x.jsonl.unfinished, which belongs to it", frame.attrs["notes"])
        self.write(RUN | {"id": "of another"}, case(1), name="x.jsonl.unfinished")
        self.assertEqual(busbar.read(path).case_index.tolist(), [0, 2])

    def test_a_resumed_run(self):
        later = RUN | {"id": "B", "resumes": "A", "start_utc": "2026-02-01T12:00:00Z"}
        frame = busbar.read(self.write(RUN, case(0), case(1, status="partial"), later, case(1), case(2), END))
        self.assertEqual((frame.status.tolist(), frame.run_id.tolist()), (["ok"] * 3, ["A"] * 3))
        self.assertEqual(frame.start_utc.dt.day.tolist(), [31, 1, 1])
        self.assertEqual([note.partition(": ")[2] for note in frame.attrs["notes"]],
                         ["2 of 3 cases measured when the run was resumed, 2026-02-01T12:00:00Z"])
        self.refused("4: a second run record, and not of a launch that resumed the first one's", RUN, case(), END, later | {"resumes": "C"})

    def test_each_launch_of_busbar_repeat(self):
        def launch(command, number):
            return {"record": "launch", "schema": 1, "command": command, "number": number}
        frame = busbar.read(self.write(launch(1, 1), RUN, CASE, END, launch(2, 1), launch(1, 2), RUN | {"id": "B"}, CASE, END))
        self.assertEqual(frame[["launch_command", "launch_number"]].values.tolist(), [[1, 1], [1, 2]])
        self.assertEqual(frame.run_id.tolist(), ["A", "B"])


class Refused(Records):
    def test_what_is_no_record(self):
        self.refused("1: not a busbar record: it begins with '# nccl-tests'; busbar import reads logs of other tools", "# nccl-tests")
        self.refused("1: not a busbar record: \"schema\" is no whole number", {"record": "run"})
        self.refused("1: the first record is not a run", CASE)
        self.refused("2: unknown record 'casket'; known: launch, run, case, end", RUN, case(record="casket"))
        self.refused("2: a launch record behind one of another kind", RUN, {"record": "launch"}, CASE)
        self.refused("1: written with schema 2, newer than 1, the newest that this package reads: use a newer one", RUN | {"schema": 2})
        self.refused(" is empty; a busbar record starts with a run line", end="")

    def test_damage_in_the_middle(self):
        with self.assertRaisesRegex(busbar.RecordError, r"x.jsonl:2: not a busbar record: .*column 5"):
            busbar.read(self.write(RUN, '{"re', CASE))
        for line in ('{"record":"case","time_s":NaN}', "[]", "\udcff", "[" * 100000):
            (self.folder / "x.jsonl").write_bytes((json.dumps(RUN) + "\n" + line + "\n").encode("utf-8", "surrogateescape"))
            with self.assertRaisesRegex(busbar.RecordError, "x.jsonl:2: not a busbar record: "):
                busbar.read(self.folder)

    def test_values_of_a_wrong_type(self):
        self.refused('2: time_s is "2 us"; expected: a finite number', RUN, case(time_s="2 us"))
        self.refused("2: time_s is Infinity; expected: a finite number", RUN, json.dumps(case()).replace('"time_s": 2e-06', '"time_s": 1e999'))
        self.refused("2: time_s is true; expected: a finite number", RUN, case(time_s=True))
        self.refused("2: key.bytes is 0.5; expected: a whole number", RUN, case(key=CASE["key"] | {"bytes": 0.5}))
        self.refused(f"2: key.bytes is {2**63}; expected: a whole number", RUN, case(key=CASE["key"] | {"bytes": 2**63}))
        self.refused("2: key.collective is missing", RUN, case(key={"bytes": 8, "ranks": 2}))
        self.refused("2: interval_s.low: low is not in an object", RUN, case(interval_s=[1, 2]))
        with self.assertRaisesRegex(busbar.RecordError, "x.jsonl:2: samples_s is missing"):
            busbar.read_samples(self.write(RUN, case(samples_s=[None])))

    def test_no_value_breaks_the_reader(self):
        """Each value of the lines is replaced by others: the record is read, or refused in one line."""
        for number, path in [(n, path) for n, line in enumerate((RUN, CASE, END)) for path in paths(line)]:
            reads = {"rounds": (busbar.read_rounds, busbar.read_samples), "samples_s": (busbar.read_samples,), "ranks": (busbar.read_ranks,)}
            for value in (None, "x", [1]):
                lines = copy.deepcopy([RUN, CASE, END])
                functools.reduce(lambda part, key: part[key], path[:-1], lines[number])[path[-1]] = value
                file = self.write(*lines)
                for read in reads.get(path[0], (busbar.read,)):
                    with self.subTest(path=path, value=value):
                        try:
                            read(file)
                        except busbar.RecordError as why:
                            self.assertRegex(str(why), r"^[^\n]*x.jsonl:\d: [^\n]+$")

    def test_words_that_nobody_knows(self):
        self.refused("1: unknown origin 'guessed'; known: measured, simulated, imported", RUN | {"origin": "guessed"}, CASE)
        self.refused("2: unknown status 'fine'; known: ok, partial, skipped, failed", RUN, case(status="fine"))
        self.refused('1: start_utc is "31 January"; expected: a time as 2026-01-31T12:00:00Z', RUN | {"start_utc": "31 January"}, CASE)


if __name__ == "__main__":
    unittest.main()

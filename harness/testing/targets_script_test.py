#!/usr/bin/env python3
"""What scripts/targets promises, with the reference server as the targets: targets_script_test.py SOURCES JRPCHECK REFERENCE."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES = JRPCHECK = REFERENCE = ""
ODD_SLEEP = "31415.92"  # by which a process that was left behind is known

# What differs between two runs of one server: when it was judged, and how long it took.
TIMES = [(rb'"(started|seen)":"[^"]*"', b'"started":""'), (rb'"(duration-ms|at-us)":[0-9.e+-]+', b'"time":0'),
         (rb"<dt>(started|took)</dt><dd>[^<]*</dd>", b""), (rb"20\d\d-\d\d-\d\d", b"DAY")]


def target(start, **more):
    described = {"$schema": "target.schema.json", "kind": "server", "group": "product", "about": "The reference server",
                 "home": "https://example.org", "licence": "MIT", "version": "1", "start": start, "door": "stdio",
                 "options": ["--select", "id/*", "--select", "batch/*"]}
    return {**described, **more}


class Targets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.descriptions = cls.path("descriptions")
        os.mkdir(cls.descriptions)
        http = {"door": "http", "target": "http://127.0.0.1:{port}/"}
        cls.describe("fine", target([REFERENCE, "--stdio"]))
        cls.describe("faulty", target([REFERENCE, "--stdio", "--fault", "batch-nested-executed"]))
        cls.describe("over-http", target([REFERENCE, "--http", "{port}"], **http))
        cls.describe("to-fuzz", target([REFERENCE, "--stdio", "--fault", "batch-nested-executed"], options=[]))
        cls.describe("no-program", target(["/nowhere/at-all"]))
        cls.describe("no-package", target([REFERENCE, "--stdio"], install={"npm": ["no such package@1"]}))
        cls.describe("leaves-a-daemon", target(["sh", "-c", f"setsid sleep {ODD_SLEEP} & exec {REFERENCE} --stdio"]))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def describe(cls, name, description):
        with open(os.path.join(cls.descriptions, name + ".json"), "w", encoding="utf-8") as out:
            json.dump(description, out)

    def judge(self, folder, *words):
        done = subprocess.run([os.path.join(SOURCES, "scripts", "targets"), "--targets", self.descriptions, "--folder", self.path(folder),
                               "--jrpcheck", JRPCHECK, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=200)
        return done.returncode, done.stderr

    def rounds(self, folder):
        return sorted(os.listdir(os.path.join(self.path(folder), "runs")))

    def site(self, folder):
        files = {}
        for place, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    text = file.read()
                for pattern, instead in TIMES:
                    text = re.sub(pattern, instead, text)
                files[os.path.relpath(os.path.join(place, name), folder)] = text
        return files

    def test_two_shards_merged_give_the_site_of_one_run(self):
        some = ["fine", "faulty", "over-http", "no-*", "leaves-*"]
        code, told = self.judge("whole", *some)
        self.assertEqual(code, 1, told)
        for shard in ("0", "1"):
            self.judge("shard-" + shard, "--shard-index", shard, "--shard-count", "2", "--no-site", *some)
            self.assertFalse(os.path.exists(self.path(f"shard-{shard}/site")))
        subprocess.run([JRPCHECK, "report", "site=" + self.path("merged"), self.path("shard-0/runs"), self.path("shard-1/runs")], check=True)
        whole, merged = self.site(self.path("whole/site")), self.site(self.path("merged"))
        self.assertEqual(sorted(merged), sorted(whole))
        self.assertIn("targets/over-http.html", whole)
        self.assertEqual([name for name in whole if whole[name] != merged[name]], [])

    def test_goes_on_after_what_cannot_be_installed_or_started_and_says_so(self):
        code, told = self.judge("missed", "no-*", "fine")
        self.assertEqual(code, 1)
        self.assertIn("1 of 3 judged", told)
        self.assertRegex(told, r"not judged: no-program: unreachable: .*nowhere/at-all")
        self.assertRegex(told, r"not judged: no-package: npm install failed")
        with open(os.path.join(self.path("missed"), "site", "index.html"), encoding="utf-8") as page:
            self.assertIn("no-package", page.read())

    def test_goes_on_where_it_was_interrupted(self):
        self.judge("resumed", "fine", "--no-site")
        [before] = self.rounds("resumed")
        stored = os.path.join(self.path("resumed"), "runs", before)
        os.remove(os.path.join(stored, "complete"))
        stamp = os.stat(os.path.join(stored, "fine.json")).st_mtime_ns
        code, told = self.judge("resumed", "f*", "--no-site")
        self.assertEqual((code, self.rounds("resumed")), (0, [before]), told)
        self.assertEqual(os.stat(os.path.join(stored, "fine.json")).st_mtime_ns, stamp)
        self.assertTrue(os.path.exists(os.path.join(stored, "faulty.json")))

    def test_leaves_nothing_running(self):
        self.judge("daemons", "leaves-a-daemon", "--no-site")
        left = subprocess.run(["pgrep", "-f", "sleep " + ODD_SLEEP], stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(left, "")

    def test_what_was_judged_is_described_beside_the_run(self):
        self.judge("beside", "faulty", "--no-site")
        [stamp] = self.rounds("beside")
        run = os.path.join(self.path("beside"), "runs", stamp, "faulty.json")
        issue = subprocess.run([JRPCHECK, "report", "issue=-", run, "--case", "batch/nested-call"], stdout=subprocess.PIPE, text=True, check=True)
        self.assertIn("--fault batch-nested-executed", issue.stdout)

    def test_an_unknown_name_is_wrong_usage(self):
        code, told = self.judge("unknown", "fien")
        self.assertEqual(code, 2)
        self.assertIn("no target is called 'fien'", told)

    def test_fuzzing_keeps_what_it_finds(self):
        code, told = self.judge("fuzzed", "to-fuzz", "--fuzz", "4")
        self.assertEqual(code, 0, told)
        [stamp] = self.rounds("fuzzed")
        self.assertTrue(os.path.exists(os.path.join(self.path("fuzzed"), "runs", stamp, "to-fuzz.fuzz.json")))
        with open(os.path.join(self.path("fuzzed"), "site", "targets", "to-fuzz.html"), encoding="utf-8") as page:
            self.assertIn("What fuzzing found", page.read())


if __name__ == "__main__":
    SOURCES, JRPCHECK, REFERENCE = (os.path.abspath(each) for each in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])

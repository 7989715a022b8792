"""Campaigns of fuzzers of bytes on benchmarks/fuzz/deep_target.cpp."""

import re
import struct

NAMES = ("libfuzzer", "afl")
# Any of them finds the easy ones soon: where one is missed the campaign is broken.
EASY = ["planted-any-call", "planted-word-in-broken-text"]
PLANTED = [*EASY, "planted-one-bit"]
# No campaign gets that many times the time of one without faults.
PATIENCE = 15
# AFL++ looks only now and then at how many executions there were, and restarts the target.
ENOUGH = 0.95
AFL_SETTINGS = {
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_NO_AFFINITY": "1",
    "AFL_NO_UI": "1",
    "AFL_BENCH_UNTIL_CRASH": "1",
}


def last(pattern, text):
    found = re.findall(pattern, text, re.MULTILINE)
    return int(found[-1]) if found else None


def first(pattern, text):
    found = re.findall(pattern, text, re.MULTILINE)
    return int(found[0]) if found else None


class Campaign:
    def __init__(self, engine, program, seeds, dictionary, run):
        self.engine = engine
        self.program = program
        self.seeds = seeds
        self.dictionary = dictionary
        self.run = run

    def measure(self, what, faults, seed, seconds, budget, folder):
        """The lines of one campaign: `rate` for how fast it is without a fault, `watch` for all
        faults together, `alone` for one of them. `budget`: executions, and how many in a second."""
        watched = faults + (PLANTED if what == "watch" else [])
        limit = seconds if budget is None else seconds * PATIENCE
        environment = {"JRPCHECK_RECORD": str(folder / "record")}
        if watched:
            environment["JRPCHECK_FAULTS"] = ",".join(watched)
        command, more = getattr(self, "command_of_" + self.engine)(seed, limit, budget, folder)
        code, text, took = self.run(command, limit, {**environment, **more}, folder)
        executions, *found = self.record(folder, len(watched))
        line = {"kind": "campaign", "engine": self.engine, "what": what, "seed": seed}
        if what == "alone":
            line["fault"] = faults[0]
        line |= {"executions": executions, "seconds": round(took, 2)}
        line |= getattr(self, "told_by_" + self.engine)(text, folder)
        if what == "rate":
            return [self.checked(line, None, [], code, text)]
        if what == "watch":
            line["planted"] = dict(zip(PLANTED, found[len(faults) :]))
        engine = self.engine + ("-alone" if what == "alone" else "")
        attempts = [
            self.attempt(engine, fault, seed, at, executions, budget)
            for fault, at in zip(faults, found)
        ]
        # The campaign comes last: it is there only where its attempts are.
        return [*attempts, self.checked(line, budget, found, code, text)]

    @staticmethod
    def attempt(engine, fault, seed, at, executions, budget):
        most, rate = budget
        is_found = 0 < at <= most
        exchanges = at if is_found else min(executions, most)
        return {
            "kind": "attempt",
            "engine": engine,
            "fault": fault,
            "seed": seed,
            # As a campaign of its own would have taken.
            "seconds": round(exchanges / rate, 2),
            "found": is_found,
            "exchanges": exchanges,
            "reduced_in": None,
        }

    @staticmethod
    def checked(line, budget, found, code, text):
        troubles = []
        if budget is not None and not all(found) and line["executions"] < ENOUGH * budget[0]:
            troubles.append(f"{line['executions']} of {budget[0]} executions")
        missed = [name for name in EASY if "planted" in line and line["planted"][name] == 0]
        if missed:
            troubles.append("missed " + ", ".join(missed))
        if not line["dictionary"]:
            troubles.append("no dictionary")
        if line["edges_at_end"] is None or line["corpus_at_end"] is None:
            troubles.append("no word of edges and corpus")
        elif budget is None and line["corpus_at_end"] <= line["corpus"]:
            troubles.append("nothing was added to the corpus")
        if troubles:
            tail = "\n".join(text.strip().splitlines()[-6:])
            line["trouble"] = f"{'; '.join(troubles)}; exit code {code}: {tail}"
        return line

    @staticmethod
    def record(folder, count):
        path = folder / "record"
        data = path.read_bytes() if path.exists() else b""
        numbers = struct.unpack(f"{len(data) // 8}Q", data[: len(data) // 8 * 8])
        return numbers if len(numbers) == count + 1 else [0] * (count + 1)

    def command_of_libfuzzer(self, seed, limit, budget, folder):
        # It writes into its first folder, so that must not be the one of the seeds.
        (folder / "new").mkdir()
        command = [self.program, f"-seed={seed + 1}", "-max_len=2048", "-detect_leaks=0"]
        command += [f"-dict={self.dictionary}", "-print_final_stats=1", "-timeout=10"]
        command += [f"-max_total_time={limit}"]
        if budget is not None:
            command += [f"-runs={budget[0]}"]
        return [*command, "new", self.seeds], {}

    @staticmethod
    def told_by_libfuzzer(text, folder):
        return {
            "dictionary": first(r"^Dictionary: (\d+) entries", text),
            "edges": first(r"INITED cov: (\d+)", text),
            "edges_at_end": last(r" cov: (\d+)", text),
            "corpus": first(r"INITED cov: .* corp: (\d+)", text),
            "corpus_at_end": last(r" corp: (\d+)", text),
        }

    def command_of_afl(self, seed, limit, budget, folder):
        command = ["afl-fuzz", "-V", limit, "-s", seed + 1, "-t", "2000+", "-m", "none"]
        command += ["-x", self.dictionary, "-i", self.seeds, "-o", "out"]
        if budget is not None:
            command += ["-E", budget[0]]
        return [*command, "--", self.program], AFL_SETTINGS

    @staticmethod
    def told_by_afl(text, folder):
        path = folder / "out" / "default" / "fuzzer_stats"
        stats = path.read_text() if path.exists() else ""
        return {
            "dictionary": first(r"Loaded a total of (\d+) extras", text),
            # It does not tell how many the seeds alone run through.
            "edges": None,
            "edges_at_end": last(r"^edges_found\s*: (\d+)", stats),
            "corpus": first(r"Loaded a total of (\d+) seeds", text),
            "corpus_at_end": last(r"^corpus_count\s*: (\d+)", stats),
        }

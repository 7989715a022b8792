#!/usr/bin/python3
"""What is offered for many machines fits together: field_examples_test.py SOURCES. Exits 77 without PyYAML."""
import os
import re
import subprocess
import sys
import unittest

try:
    import yaml
except ImportError:
    print("SKIPPED: python3-yaml is not installed")
    sys.exit(77)

SOURCES = ""


def read(*path):
    with open(os.path.join(SOURCES, *path), encoding="utf-8") as text:
        return yaml.safe_load(text)


class FieldExamples(unittest.TestCase):
    def assert_shell(self, script):
        checked = subprocess.run(["sh", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "0", script), stderr=subprocess.PIPE, text=True)
        self.assertEqual(checked.returncode, 0, checked.stderr + script)

    def assert_options(self, script):
        offered = subprocess.run([os.path.join(SOURCES, "scripts", "targets"), "--help"], stdout=subprocess.PIPE, text=True).stdout
        for option in re.findall(r"(?<!\S)--[a-z-]+", script[script.index("scripts/targets"):].split("||")[0]):
            self.assertIn(option, offered)

    def test_the_workflow_judges_each_part_once(self):
        workflow = read(".github", "workflows", "field.yml")
        judge = workflow["jobs"]["judge"]
        shards = judge["strategy"]["matrix"]["shard"]
        [script] = [step["run"] for step in judge["steps"] if "scripts/targets" in step.get("run", "")]
        self.assertEqual(shards, list(range(len(shards))))
        self.assertIn(f"--shard-count {len(shards)} ", script)
        self.assert_options(script)
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                self.assert_shell(step.get("run", ""))

    def test_the_job_has_a_pod_for_each_part(self):
        spec = read("examples", "field", "kubernetes-job.yaml")["spec"]
        [script] = spec["template"]["spec"]["containers"][0]["args"]
        self.assertEqual(spec["completionMode"], "Indexed")
        self.assertIn(f"--shard-count {spec['completions']} ", script)
        self.assertIn("$JOB_COMPLETION_INDEX", script)
        self.assert_options(script)
        self.assert_shell(script)

    def test_gitlab_counts_from_one(self):
        script = "\n".join(read("examples", "field", "gitlab-ci.yml")["judge"]["script"])
        self.assertIn("--shard-index $((CI_NODE_INDEX - 1)) --shard-count $CI_NODE_TOTAL", script)
        self.assert_options(script)
        self.assert_shell(script)


if __name__ == "__main__":
    SOURCES = os.path.abspath(sys.argv.pop(1))
    unittest.main()

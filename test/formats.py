"""lit formats for whole programs, which carry no RUN lines: what to run follows
from what they say of themselves."""

import re
import subprocess

import lit.Test
import lit.TestRunner
from lit.formats import ShTest
from lit.formats.base import FileBasedTest

SCHEDULES = 8
# Sizes for a program that does not state its own with pld.world_sizes.
WORLD_SIZES = [1, 2, 3, 4]


def read(test):
    with open(test.getSourcePath(), encoding="utf-8") as source:
        return source.read()


def world_sizes(text):
    stated = re.search(r"pld\.world_sizes = array<i64: ([\d, ]+)>", text)
    return [int(n) for n in stated[1].split(",")] if stated else WORLD_SIZES


def header(text):
    """The comment that opens the file, on one line."""
    lines = re.match(r"(//.*\n)*", text)[0].splitlines()
    return " ".join(line.removeprefix("//").strip() for line in lines)


class Program(ShTest):
    """Agrees with its golden at every world size it admits."""

    def execute(self, test, lit_config):
        script = []
        for n in world_sizes(read(test)):
            script.append(f"pld-run %s -n {n} --schedules {SCHEDULES} | grep -x OK")
        return lit.TestRunner.executeShTest(test, lit_config, False, [], script)


class Example(ShTest):
    """Does what the `./x` lines in its header promise: each ends well."""

    def execute(self, test, lit_config):
        script = []
        for tool, arguments in re.findall(r"^//\s+\./x (\w+) (.*)$", read(test), re.MULTILINE):
            arguments = arguments.replace("examples/", "%examples/")
            script.append(f"pld-{tool} {arguments}" + (" | grep -x OK" if tool == "run" else ""))
        return lit.TestRunner.executeShTest(test, lit_config, False, [], script)


class Broken(FileBasedTest):
    """Is found out. The header names the code of the finding, and of the one at run
    time where a broken protocol also shows there."""

    def execute(self, test, lit_config):
        text = read(test)
        codes = re.findall(r"pld-(\d+)", header(text))
        try:
            if codes[1:]:
                wrong = self.run_time(test, world_sizes(text), codes[1])
            else:
                wrong = self.before_the_run(test, codes[0])
        except subprocess.TimeoutExpired as late:
            return lit.Test.TIMEOUT, str(late)
        return (lit.Test.FAIL, wrong) if wrong else (lit.Test.PASS, "")

    def before_the_run(self, test, code):
        expected = 0 if code == "113" else 2  # a warning
        status, output = self.pld_run(test, "-n", "2")
        if status != expected or f"[pld-{code}]" not in output:
            return f"exit code {status}, expected {expected} and pld-{code}:\n{output}"

    def run_time(self, test, sizes, code):
        """A size must exist at which no schedule hides the fault, and at no size a
        schedule may hang or end in something else than the finding or its luck."""
        certain, seen = [], []
        for n in [n for n in sizes if 2 <= n <= 4]:
            found = 0
            for seed in range(SCHEDULES):
                status, output = self.pld_run(test, "-n", str(n), "--seed", str(seed), "--check", "races")
                found += status == 3 and f"[pld-{code}]" in output
                seen.append(f"-n {n} --seed {seed}: exit code {status}")
                if status not in (0, 1, 3):
                    return f"{seen[-1]}\n{output}"
            if found == SCHEDULES:
                certain.append(n)
        if not certain:
            return f"at no world size every schedule exits 3 with pld-{code}:\n" + "\n".join(seen)

    def pld_run(self, test, *arguments):
        done = subprocess.run(
            ["pld-run", test.getSourcePath(), *arguments],
            env=test.config.environment,
            timeout=60,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return done.returncode, done.stdout

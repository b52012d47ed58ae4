"""lit formats for whole programs, which carry no RUN lines: what to run follows
from what they say of themselves."""

import json
import os
import re
import subprocess

import lit.Test
import lit.TestRunner
from lit.formats import ShTest
from lit.formats.base import FileBasedTest

SCHEDULES = 8
LONG_SCHEDULES = 100
# Sizes for a program that does not state its own with pld.world_sizes.
WORLD_SIZES = [1, 2, 3, 4]
LONG_SIZES = [1, 2, 3, 4, 5, 7, 8]


def read(test):
    with open(test.getSourcePath(), encoding="utf-8") as source:
        return source.read()


def world_sizes(text):
    stated = re.search(r"pld\.world_sizes = array<i64: ([\d, ]+)>", text)
    return [int(n) for n in stated[1].split(",")] if stated else None


def entries(text):
    """Name and stated world sizes of each host function."""
    for head in re.findall(r"func\.func (@.*?) \{\n", text, re.DOTALL):
        name, _, attributes = head.partition("attributes")
        if "pl.host" in attributes:
            yield re.match(r"@(\w+)", name)[1], world_sizes(attributes)


def runs(text, simulated, emulated, long):
    """RUN lines: each entry agrees with its golden, on the simulator in several
    schedules, of prompt writes and of late ones, and as generated code under the
    emulation, in the long form in late schedules beside the plain one, at each size it
    admits; or the target refuses it with what the program says."""
    schedules, delayed = (LONG_SCHEDULES, SCHEDULES) if long else (SCHEDULES, 0)
    for name, stated in entries(text):
        admitted = lambda sizes: [n for n in sizes if stated is None or n in stated]
        run = f"pld-run %s --entry {name}"
        for n in admitted(simulated):
            yield f"{run} -n {n} --schedules {schedules} | grep -x OK"
            yield f"{run} -n {n} --schedules {schedules} --weak | grep -x OK"
        refused = re.search(r"^// The target refuses this: (.+)\.$", text, re.MULTILINE)
        for n in admitted(emulated):
            emulation = f"{run} -n {n} --target hccl-emu --schedules {1 + delayed}"
            if refused:
                yield f"not {emulation} 2>&1 | grep '{refused[1]}'"
            else:
                yield f"{emulation} | grep -x OK"


def is_long(test):
    return "long" in test.config.available_features


def pld_run(test, program, *arguments):
    return tool(test, "pld-run", program, *arguments)


def tool(test, *command):
    done = subprocess.run(
        command,
        env=test.config.environment,
        timeout=60,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.returncode, done.stdout


def header(text):
    """The comment that opens the file, on one line."""
    lines = re.match(r"(//.*\n)*", text)[0].splitlines()
    return " ".join(line.removeprefix("//").strip() for line in lines)


class Program(ShTest):
    """Agrees with its golden at every world size it admits; the check of its protocol has
    nothing to say of it; and the golden bites: without its first store to the output, the
    program gives a wrong result."""

    def execute(self, test, lit_config):
        text = read(test)
        long = is_long(test)
        sizes, emulated = (LONG_SIZES, WORLD_SIZES) if long else (WORLD_SIZES, [2])
        more = re.findall(r"^// Runs with (\d+) ranks, too\.$", text, re.MULTILINE)
        script = list(runs(text, sizes + [int(n) for n in more], emulated, long))
        result = lit.TestRunner.executeShTest(test, lit_config, False, [], script)
        if result.code.isFailure:
            return result
        status, said = tool(test, "pld-opt", test.getSourcePath(), "--pld-check-protocol", "-o", os.devnull)
        if status or said:
            return lit.Test.FAIL, f"--pld-check-protocol: exit code {status}\n{said}"
        return self.bite(test, text)

    def bite(self, test, text):
        store = r"\n *(pl\.store|pl\.write|pl\.assemble|pld\.get) [^\n]*, %y\[[^:]* : [^\n]*(,\n[^\n]*)?(?=\n)"
        shorter, count = re.subn(store, "", text, count=1)
        if not count:
            return lit.Test.FAIL, "no store to %y in the program"
        path = test.getExecPath() + ".without-store.mlir"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(shorter)
        stated = world_sizes(text) or [2]
        size = 2 if 2 in stated else stated[0]
        status, output = pld_run(test, path, "-n", str(size), "--check", "none")
        if status == 1:
            return lit.Test.PASS, ""
        return lit.Test.FAIL, f"{path}: exit code {status}, expected 1:\n{output}"


class Example(ShTest):
    """Does what the `./x` lines in its header promise, and agrees with its goldens at
    several sizes; the window and the ring shift at all that the first steps ask for."""

    def execute(self, test, lit_config):
        text = read(test)
        script = []
        for tool, arguments in re.findall(r"^//\s+\./x (\w+) (.*)$", text, re.MULTILINE):
            arguments = arguments.replace("examples/", "%examples/")
            script.append(f"pld-{tool} {arguments}" + (" | grep -x OK" if tool == "run" else ""))
        first_steps = os.path.basename(test.getSourcePath()).startswith(("03", "05"))
        emulated = [2, 3, 4, 7] if first_steps else [2, 3]
        long = is_long(test)
        if long:
            emulated = sorted({*WORLD_SIZES, *emulated})
        script += runs(text, LONG_SIZES if long else [1, 2, 3, 4, 7], emulated, long)
        return lit.TestRunner.executeShTest(test, lit_config, False, [], script)


class Broken(FileBasedTest):
    """Is found out. The header names the code of the finding, and of the one at run
    time where a broken protocol also shows there; the line that the finding stands at
    ends with its code, too."""

    def execute(self, test, lit_config):
        text = read(test)
        codes = re.findall(r"pld-(\d+)", header(text))
        try:
            if codes[1:]:
                sizes = world_sizes(text) or WORLD_SIZES
                wrong = self.for_all_schedules(test, text, sizes, codes[0])
                wrong = wrong or self.run_time(test, sizes, codes[1])
                wrong = wrong or self.replayed(test, codes[1])
            else:
                wrong = self.before_the_run(test, codes[0])
        except subprocess.TimeoutExpired as late:
            return lit.Test.TIMEOUT, str(late)
        return (lit.Test.FAIL, wrong) if wrong else (lit.Test.PASS, "")

    def before_the_run(self, test, code):
        expected = 0 if code == "113" else 2  # a warning
        profile = re.search(r"-p \w+", header(read(test)))  # of a target that the header names
        options = profile.group().split() if profile else []
        status, output = pld_run(test, test.getSourcePath(), "-n", "2", *options)
        if status != expected or f"[pld-{code}]" not in output:
            return f"exit code {status}, expected {expected} and pld-{code}:\n{output}"

    def for_all_schedules(self, test, text, sizes, code):
        """A size must exist at which the program is refused; at every one that is, by
        this code alone and at the lines that say so. One that is not refused is right."""
        marked = {n for n, line in enumerate(text.splitlines(), 1) if line.endswith(f"// pld-{code}")}
        refused = False
        for n in [n for n in sizes if n <= 4]:
            status, output = pld_run(test, test.getSourcePath(), "-n", str(n))
            found = set(re.findall(r"\.mlir:(\d+):\d+: error: .* \[pld-(\d+)\]$", output, re.MULTILINE))
            refused |= status == 2
            expected = {(str(line), code) for line in marked} if status == 2 else set()
            if status not in (0, 2) or found != expected:
                return f"-n {n}: exit code {status}, expected pld-{code} at {sorted(marked)}:\n{output}"
        if not refused:
            return f"pld-{code} is found at no world size"

    def replayed(self, test, code):
        """Each finding of the check, run along its own schedule, goes wrong in the run."""
        path = test.getExecPath() + ".findings.json"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        tool(test, "pld-opt", test.getSourcePath(), f"--pld-check-protocol=json={path}", "-o", os.devnull)
        with open(path, encoding="utf-8") as file:
            findings = json.load(file)
        for finding in findings:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(finding, file)
            status, output = pld_run(test, test.getSourcePath(), "--replay", path)
            if status != 3 or f"[pld-{code}]" not in output:
                return f"replayed: exit code {status}, expected 3 and pld-{code}:\n{output}"
        return None if findings else "no finding to replay"

    def run_time(self, test, sizes, code):
        """A size must exist at which no schedule hides the fault, and at no size a
        schedule may hang or end in something else than the finding or its luck."""
        certain, seen = [], []
        for n in [n for n in sizes if 2 <= n <= 4]:
            found = 0
            for seed in range(SCHEDULES):
                status, output = pld_run(test, test.getSourcePath(), "-n", str(n), "--seed", str(seed), "--check", "races")
                found += status == 3 and f"[pld-{code}]" in output
                seen.append(f"-n {n} --seed {seed}: exit code {status}")
                if status not in (0, 1, 3):
                    return f"{seen[-1]}\n{output}"
            if found == SCHEDULES:
                certain.append(n)
        if not certain:
            return f"at no world size every schedule exits 3 with pld-{code}:\n" + "\n".join(seen)

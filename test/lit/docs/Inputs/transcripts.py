"""Runs the commands that pages show with what they print.

A block of a page whose first line is `$ ./x run ...` or `$ ./x opt ...` is such a
transcript. What follows has to be printed, in this order; `...` stands for what is left
out, and lines may be broken anywhere. Prints how many there were.
"""

import shlex
import subprocess
import sys

TOOLS = {"run": "pld-run", "opt": "pld-opt"}


def words(text):
    return " ".join(text.split())


def check(page, block):
    command, *lines = block.strip().splitlines()
    _, tool, *arguments = shlex.split(command[2:])
    run = subprocess.run(
        [TOOLS[tool], *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
    )
    printed, at = words(run.stdout), 0
    for part in "\n".join(lines).split("..."):
        place = printed.find(words(part), at)
        if place < 0:
            sys.exit(f"{page}: {command}\nprinted:\n{run.stdout}\nwithout:\n{part}")
        at = place + len(words(part))


count = 0
for page in sys.argv[1:]:
    # Between fences, every second part is a block; it starts with its language.
    for block in open(page, encoding="utf-8").read().split("\n```")[1::2]:
        _, _, text = block.partition("\n")
        if text.startswith("$ ./x "):
            check(page, text)
            count += 1
print(f"{count} transcripts")

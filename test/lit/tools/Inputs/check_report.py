"""check_report.py REPORT PAGE: the keys of the report are those that the page lists."""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    page = file.read()
section = page[page.index("## Report") :]
rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE))

assert set(report) == set(rows), set(report) ^ set(rows)
words = lambda key: set(re.findall(r"`(\w+)`", rows[key]))
assert set(report["windows"][0]) == words("windows"), report["windows"][0]
assert set(report["counters"][0]) == words("counters"), report["counters"][0]
assert set(report["cost"]) | {"messages"} == words("cost"), report["cost"].keys()
for rank in report["cost"]["ranks"] + [report["cost"]["total"]]:
    assert set(rank) == words("counters") | {"messages"}, rank
for finding in report["findings"]:
    assert set(finding) <= words("findings"), finding
    assert finding["details"]["kind"] in words("findings"), finding
print(report["exit_code"], report["status"], report["verdict"], report["seed"], report["schedules"])

"""check_trace.py TRACE RANKS: the trace is one that a viewer can show, and says what it must."""

import json
import sys
from collections import defaultdict

path, ranks = sys.argv[1], int(sys.argv[2])
with open(path, encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]

names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
assert names == {rank: f"rank {rank}" for rank in range(ranks)}, names

# Each flow has both ends, forwards in time, each inside a slice of its track.
slices, begins, flows = defaultdict(list), defaultdict(list), defaultdict(dict)
last = defaultdict(float)
for event in events:
    track, at = (event["pid"], event["tid"]), event["ts"]
    match event["ph"]:
        case "X":
            slices[track].append((at, at + event["dur"], event["name"]))
        case "B":
            begins[track].append(event["name"])
        case "E":
            begins[track].pop()
        case "s" | "f":
            assert event["ph"] not in flows[event["id"]], event
            flows[event["id"]][event["ph"]] = event
            continue
    if event["ph"] != "M":
        assert at >= last[track], f"{event} before {last[track]}"
        last[track] = at
assert not any(begins.values()), f"spans without an end: {begins}"
for flow in flows.values():
    start, end = flow["s"], flow["f"]
    assert start["ts"] <= end["ts"], flow
    assert start["pid"] != end["pid"], flow
    for side, name in (start, "notify"), (end, "wait"):
        around = [s for s in slices[side["pid"], side["tid"]] if s[0] <= side["ts"] <= s[1] + 1e-3]
        assert any(s[2].endswith(name) for s in around), (side, around)

for rank in range(ranks):
    assert any(e["pid"] == rank and e["ph"] == "B" and e["name"] == "pld.dispatch" for e in events), rank

# Sums over all events, for the test to compare.
kinds = defaultdict(int)
for event in events:
    if event["ph"] in "Xi":
        kinds[event["cat"], event["name"]] += 1
for (category, name), count in sorted(kinds.items()):
    print(f"{category}: {name} {count}")
print(f"bytes {sum(e['args']['bytes'] for e in events if e.get('cat') == 'rma')}")
print(f"peers {sorted({e['args']['peer'] for e in events if e.get('cat') == 'rma'})}")
print(f"flows {len(flows)}")

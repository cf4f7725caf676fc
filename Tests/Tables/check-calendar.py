# Compares a calendar with RFC 5545, line by line, and with the walks that it was made from.
#
# usage: python3 check-calendar.py CALENDAR WALKS.json
import datetime
import json
import re
import sys

calendar_path, walks_path = sys.argv[1:]
data = open(calendar_path, "rb").read()
walks = json.load(open(walks_path, encoding="utf-8"))["walks"]

# 3.1: lines end with CRLF, have 75 octets at most, and are folded between characters.
assert data.endswith(b"\r\n")
physical = data.split(b"\r\n")[:-1]
for line in physical:
  assert line and b"\r" not in line and b"\n" not in line, line
  assert len(line) <= 75, line
  line.decode("utf-8")
lines = data.decode("utf-8").replace("\r\n ", "").split("\r\n")[:-1]

VALUE = re.compile(r"([A-Z-]+)((?:;[A-Z-]+=[^;:,]+)*):([^\x00-\x08\x0a-\x1f\x7f]*)")
# 3.3.11: in a text, backslash, semicolon and comma are escaped, and nothing else is.
TEXT = re.compile(r"(?:[^\\;,]|\\[\\;,nN])*")
TIME = re.compile(r"\d{8}T\d{6}Z")


def text(value):
  assert TEXT.fullmatch(value), value
  return re.sub(
    r"\\(.)", lambda found: "\n" if found[1] in "nN" else found[1], value, flags=re.S)


def time(value):
  assert TIME.fullmatch(value), value
  return datetime.datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(
    tzinfo=datetime.timezone.utc)


READERS = {
  "VERSION": text, "PRODID": text, "UID": text, "SUMMARY": text, "DESCRIPTION": text,
  "CATEGORIES": text, "TRANSP": text, "DTSTAMP": time, "DTSTART": time, "DTEND": time,
}
open_parts, events, head = [], [], {}
for line in lines:
  found = VALUE.fullmatch(line)
  assert found, line
  name, _, value = found.groups()
  if name == "BEGIN":
    assert open_parts + [value] in (["VCALENDAR"], ["VCALENDAR", "VEVENT"]), line
    open_parts.append(value)
    if value == "VEVENT":
      events.append({})
  elif name == "END":
    assert open_parts.pop() == value, line
  else:
    part = events[-1] if open_parts == ["VCALENDAR", "VEVENT"] else head
    assert name not in part, f"{name} occurs twice"
    part[name] = READERS[name](value)
assert not open_parts
# 3.6: what each part has to have.
assert head["VERSION"] == "2.0" and head["PRODID"]
assert len({event["UID"] for event in events}) == len(events) == len(walks)
for event, walk in zip(events, walks):
  assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY"} <= set(event)
  assert event["UID"] == walk["uuid"]
  assert event["DTSTART"] == datetime.datetime.fromisoformat(walk["start"])
  if "DTEND" in event:
    assert event["DTEND"] > event["DTSTART"]
    assert event["DTEND"] == datetime.datetime.fromisoformat(walk["end"])
  assert walk["dog"] in event["SUMMARY"]
  assert event.get("DESCRIPTION", "") == (walk["note"] or ""), (event, walk)
print(len(events), "walks")

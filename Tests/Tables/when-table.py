#!/usr/bin/env python3
"""Writes when-table.txt: inputs, instants and zones, and what each input means there.

    python3 Tests/Tables/when-table.py > Tests/Tables/when-table.txt

A second, slower implementation of the program's WHEN, with Python's time zones. Inputs that GNU date can
read too (a date and a time) are compared with its output, which must be the same.
"""
import datetime as dt
import os
import re
import subprocess
from zoneinfo import ZoneInfo

UTC = dt.timezone.utc
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

# Zone: the instants (UTC) at which the inputs are read, and dates of its own to try.
ZONES = {
    "Europe/Berlin": (
        ["2026-03-29T00:59:59", "2026-03-29T01:00:00", "2026-10-25T00:20:00",
         "2026-10-25T01:20:00", "2026-12-31T23:10:00", "2026-11-23T18:00:00"],
        ["2026-03-29", "2026-10-25", "2026-01-01"]),
    "America/St_Johns": (
        ["2026-03-08T05:29:00", "2026-03-08T16:00:00", "2026-11-01T04:15:00", "2027-01-01T03:00:00"],
        ["2026-03-08", "2026-11-01", "2024-02-29"]),
    "Australia/Lord_Howe": (
        ["2026-04-04T14:50:00", "2026-04-04T15:20:00", "2026-10-03T15:29:00", "2026-10-03T22:00:00"],
        ["2026-04-05", "2026-10-04"]),
    "America/Sao_Paulo": (
        ["2018-11-04T02:59:00", "2018-11-04T12:00:00", "2018-02-18T02:30:00", "2018-12-25T12:00:00"],
        ["2018-11-04", "2018-02-17", "2018-02-18"]),
    "Asia/Kathmandu": (["2026-06-14T18:15:00", "2026-02-28T23:00:00"], ["2026-06-15"]),
    "Pacific/Apia": (["2011-12-30T12:00:00"], ["2011-12-29", "2011-12-30", "2011-12-31"]),
    "Europe/Dublin": (["2026-03-29T01:30:00", "2026-10-25T01:30:00"], ["2026-03-29", "2026-10-25"]),
    "Asia/Kolkata": (["2026-12-31T18:29:59", "2026-06-14T18:30:00"], ["2026-11-20"]),
    "Pacific/Chatham": (["2026-04-04T14:00:00", "2026-09-26T14:00:00"], ["2026-04-05", "2026-09-27"]),
    "America/New_York": (["2026-11-01T06:30:00", "2027-03-14T07:00:00"], ["2026-11-01", "2027-03-14"]),
    "UTC": (["2026-12-31T23:59:59", "2028-02-29T12:00:00"], ["2028-02-29"]),
}
INPUTS = [
    "now", "0:15", "00:30", "1:45", "2:15", "02:30", "7:30", "7:30pm", "7am", "12am", "12pm",
    "23:59", "today 2:30", "today 23:30", "yesterday 02:30", "yesterday 11:30pm", "mon 7:30",
    "sunday 2:15", "sun 12am", "Sat 18:00", "today", "Yesterday", "mon", "friday", "30m ago",
    "2h ago", "1h 15m ago", "90s ago", "1 day ago", "3 days ago", "1 week ago",
]
CLOCKS = ["00:00", "00:30", "01:30", "01:45", "02:00", "02:15", "02:30", "03:00", "23:30"]
OFFSETS = ["{}T02:30:15Z", "{}T2:15+05:45", "{}T23:59:59-03:30"]


def occurrences(civil, zone):
    """Returns the instants at which clocks show a time, in order."""
    found = {civil.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(i for i in found if i.astimezone(zone).replace(tzinfo=None, fold=0) == civil)


def first(civil, zone):
    found = occurrences(civil, zone)
    agrees_with_gnu_date(civil, zone, found)
    return told(found[0], zone) if found else "skipped"


def agrees_with_gnu_date(civil, zone, found):
    answer = subprocess.run(
        ["date", "-d", civil.strftime("%Y-%m-%d %H:%M:%S"), "+%s"], capture_output=True, text=True,
        env={**os.environ, "TZ": zone.key})
    said = int(answer.stdout) if answer.returncode == 0 else None
    ours = [int(i.timestamp()) for i in found]
    assert said in ours if ours else said is None, (civil, zone, said, ours)


def told(instant, zone):
    offset = int(instant.astimezone(zone).utcoffset().total_seconds())
    return f"{int(instant.timestamp())} {offset}"


def clock(text):
    hours, minutes, half = re.fullmatch(r"(\d+)(?::(\d\d))?(am|pm)?", text).groups()
    hours = int(hours) % 12 + (12 if half == "pm" else 0) if half else int(hours)
    return dt.time(hours, int(minutes or 0))


def last(day, step, time, now, zone):
    civil = dt.datetime.combine(day, time)
    found = occurrences(civil, zone)
    wall = now.astimezone(zone).replace(tzinfo=None, fold=0)
    past = found[0] <= now if found else wall > civil
    return first(civil if past else civil - dt.timedelta(days=step), zone)


def meaning(text, now, zone):
    words = text.lower().split()
    wall = now.astimezone(zone).replace(tzinfo=None, fold=0)
    today = wall.date()
    if words == ["now"]:
        return told(now, zone)
    if words[-1] == "ago":
        days = re.fullmatch(r"(\d+) (day|week)s? ago", text)
        if days:
            count = int(days[1]) * (7 if days[2] == "week" else 1)
            return first(wall - dt.timedelta(days=count), zone)
        seconds = sum(int(n) * {"h": 3600, "m": 60, "s": 1}[u]
                      for n, u in re.findall(r"(\d+)([hms])", text))
        return told(now - dt.timedelta(seconds=seconds), zone)
    offset = re.fullmatch(r"(\S+)[t ](\d+:\d\d(?::\d\d)?)(z|[+-]\d\d:\d\d)", text.lower())
    if offset:
        time = offset[2] if offset[2].count(":") == 2 else offset[2] + ":00"
        zoned = offset[3].replace("z", "+00:00")
        instant = dt.datetime.fromisoformat(f"{offset[1]}T{time.zfill(8)}{zoned}")
        return f"{int(instant.timestamp())} {int(instant.utcoffset().total_seconds())}"
    if words[0] in ("today", "yesterday"):
        day = today - dt.timedelta(days=words[0] == "yesterday")
    elif words[0][:3] in DAYS:
        day = today - dt.timedelta(days=(today.weekday() - DAYS.index(words[0][:3])) % 7)
        if len(words) == 2:
            return last(day, 7, clock(words[1]), now, zone)
    elif "-" in words[0]:
        day = dt.date.fromisoformat(words[0])
    else:
        return last(today, 1, clock(words[0]), now, zone)
    if len(words) == 1:
        return f"day {day}"
    return first(dt.datetime.combine(day, clock(words[1])), zone)


print("# What inputs mean in some zones at some instants, written by Tests/Tables/when-table.py.")
print("#")
print("# `zone name`, then below it `@now` in seconds since 1970, then below that `input = meaning`,")
print("# which is seconds since 1970 and the offset from UTC, a day, or `skipped`.")
for name, (instants, dates) in ZONES.items():
    zone = ZoneInfo(name)
    print(f"zone {name}")
    for index, instant in enumerate(instants):
        now = dt.datetime.fromisoformat(instant).replace(tzinfo=UTC)
        print(f"@{int(now.timestamp())}")
        dated = [f"{d} {c}" for d in dates for c in CLOCKS] if index == 0 else []
        dated += [o.format(d) for d in dates for o in OFFSETS] if index == 0 else []
        for text in INPUTS + dated:
            print(f"{text} = {meaning(text, now, zone)}")

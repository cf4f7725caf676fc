"""What the harnesses of `make torment` need: a prompt, a checker of stores, counts, random numbers."""

import collections
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODEL = os.path.join(PROJECT, "Models/DogWalk.xcdatamodeld/DogWalk 3.xcdatamodel/contents")
CHECKER = os.path.join(PROJECT, "../shared/tools/check_store.py")

PROGRAM = os.environ["TORMENT_PROGRAM"]
SEED = int(os.environ["TORMENT_SEED"])
RANDOM = random.Random(SEED)
ENDS = time.monotonic() + float(os.environ["TORMENT_SECONDS"])

DONE, NO, BUSY = 0, 1, 75
# The exit codes that a command may end with; 70 is a bug, and a signal is worse.
EXPECTED = {0, 1, 64, 65, 66, 73, 74, 75, 77}

_counts = collections.Counter()


def count(what, number=1):
    """Notes that something was done; told when the harness ends."""
    _counts[what] += number


def finish():
    """Prints what was done, and ends well."""
    tell()
    sys.exit(0)


def tell():
    for what, number in _counts.items():
        print(f"{number}\t{what}")


def fail(message):
    """Ends the harness with what broke."""
    tell()
    print(f"SEED={SEED}: {message}", file=sys.stderr)
    sys.exit(1)


def keep(path, name):
    """Keeps a file that broke something."""
    folder = os.path.join(PROJECT, ".build/torment")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(path, os.path.join(folder, name))
    print(f"Kept as {os.path.join(folder, name)}", file=sys.stderr)


def skip(reason):
    print(reason, file=sys.stderr)
    sys.exit(77)


def rounds():
    """Numbers from 1 on, until the time is over."""
    number = 1
    while number == 1 or time.monotonic() < ENDS:
        yield number
        number += 1


class Answer:
    """What came of a command."""

    def __init__(self, words, code, output, errors):
        self.words, self.code, self.output, self.errors = words, code, output, errors

    def __str__(self):
        return f"dogwalk {' '.join(self.words)!r}: {self.code}\n{self.output[-2000:]}{self.errors[-2000:]}"

    @property
    def json(self):
        return json.loads(self.output)


class Prompt:
    """A folder with a store, and the program at work on it."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="prompt-")
        self.store = os.path.join(self.home, "walks.sqlite")
        self.environment = {
            "HOME": self.home, "PATH": os.environ["PATH"], "DOGWALK_STORE": self.store, "TZ": "UTC",
            "DOGWALK_NOW": "2026-11-21T19:00:00Z"}

    def close(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self, words, before=()):
        """Starts a command, which has nothing to read; `before` are words in front of the program."""
        return subprocess.Popen(
            [*before, PROGRAM, *words], env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(self, process, words, timeout=120):
        """Waits for a command's end."""
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            fail(f"dogwalk {' '.join(words)!r} did not end within {timeout} s")
        return Answer(
            words, process.returncode, output.decode(errors="replace"), errors.decode(errors="replace"))

    def run(self, *words, timeout=120):
        """Runs a command to its end; one that traps ends the harness."""
        answer = self.end(self.start(words), words, timeout)
        if answer.code not in EXPECTED or "report it" in answer.errors:
            fail(f"a command broke: {answer}")
        return answer

    def must(self, *words):
        """Runs a command that has to work."""
        answer = self.run(*words)
        if answer.code != DONE:
            fail(f"a command failed: {answer}")
        return answer

    def copy_store(self, path):
        """Copies the store and a log that a killed command has left."""
        for suffix in ("", "-wal"):
            if os.path.exists(self.store + suffix):
                shutil.copy(self.store + suffix, path + suffix)

    def copy_of_store(self):
        """A copy of the store: looking at one with SQLite changes what lies beside it."""
        path = os.path.join(tempfile.mkdtemp(prefix="copy-"), "store")
        self.copy_store(path)
        return path

    def rows(self, statement):
        """What SQLite finds in a copy of the store."""
        copy = self.copy_of_store()
        connection = sqlite3.connect(copy)
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()
            shutil.rmtree(os.path.dirname(copy))

    def check(self, when):
        """Holds the store against its model: nothing dangles, nothing is counted wrong."""
        doctor = self.run("doctor")
        if doctor.code != DONE:
            fail(f"{when}: {doctor}")
        dangling = self.rows("SELECT count(*) FROM ZWALK WHERE ZDOG NOT IN (SELECT Z_PK FROM ZDOG)")[0][0]
        if dangling:
            fail(f"{when}: {dangling} walks whose dog is gone")
        if not os.path.exists(CHECKER):
            count("stores held against doctor alone: check_store.py is not here")
            return
        copy = self.copy_of_store()
        verdict = subprocess.run(
            [sys.executable, CHECKER, copy, MODEL], capture_output=True, text=True)
        shutil.rmtree(os.path.dirname(copy))
        if verdict.returncode != 0:
            fail(f"{when}: {verdict.stdout}{verdict.stderr}")
        count("stores held against check_store.py")

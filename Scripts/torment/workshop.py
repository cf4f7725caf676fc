"""Shared code of the harnesses of `make torment`: a prompt, checks of stores, counts, random numbers."""

import collections
import contextlib
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
# The model of each version of the store.
MODELS = {
    version: os.path.join(PROJECT, "Models/DogWalk.xcdatamodeld", name, "contents")
    for version, name in [(1, "DogWalk.xcdatamodel"), (2, "DogWalk 2.xcdatamodel"), (3, "DogWalk 3.xcdatamodel")]}
CHECKER = os.path.join(PROJECT, "../shared/tools/check_store.py")

PROGRAM = os.environ["TORMENT_PROGRAM"]
SEED = int(os.environ["TORMENT_SEED"])
RANDOM = random.Random(SEED)
ENDS = time.monotonic() + float(os.environ["TORMENT_SECONDS"])

DONE, NO, BUSY = 0, 1, 75
# The exit codes that are allowed; 70 is a bug, and a signal is worse.
EXPECTED = {0, 1, 64, 65, 66, 73, 74, 75, 77}

UNCHECKED = "stores held against DOCTOR ALONE: check_store.py is not here"

_counts = collections.Counter()


def count(what, number=1):
    """Counts something that was done; printed when the harness ends."""
    _counts[what] += number


def finish():
    """Prints the counts, and exits with 0."""
    tell()
    sys.exit(0)


def tell():
    for what, number in _counts.items():
        print(f"{number}\t{what}")
    if UNCHECKED in _counts:
        print(f"{CHECKER} IS MISSING: the stores were only checked with `dogwalk doctor`.", file=sys.stderr)


def fail(message):
    """Ends the harness with a failure."""
    tell()
    print(f"SEED={SEED}: {message}", file=sys.stderr)
    sys.exit(1)


def keep(path, name):
    """Keeps a file or a folder that caused a failure."""
    kept = os.path.join(PROJECT, ".build/torment", name)
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    if os.path.isdir(path):
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(path, kept)
    else:
        shutil.copy(path, kept)
    print(f"Kept as {kept}", file=sys.stderr)


@contextlib.contextmanager
def keeping(path, name):
    """Keeps a file or a folder if the code within fails."""
    try:
        yield
    except SystemExit:
        keep(path, name)
        raise


def skip(reason):
    print(reason, file=sys.stderr)
    sys.exit(77)


def rounds():
    """Yields numbers from 1, until the time is over."""
    number = 1
    while number == 1 or time.monotonic() < ENDS:
        yield number
        number += 1


class Answer:
    """The result of a command."""

    def __init__(self, words, code, output, errors):
        self.words, self.code, self.output, self.errors = words, code, output, errors

    def __str__(self):
        return f"dogwalk {' '.join(self.words)!r}: {self.code}\n{self.output[-2000:]}{self.errors[-2000:]}"

    @property
    def json(self):
        return json.loads(self.output)


class Prompt:
    """A home folder with a store, in which commands are run."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="prompt-")
        self.store = os.path.join(self.home, "walks.sqlite")
        self.environment = {
            "HOME": self.home, "PATH": os.environ["PATH"], "DOGWALK_STORE": self.store, "TZ": "UTC",
            "DOGWALK_NOW": "2026-11-21T19:00:00Z",
            # No user: otherwise the author would depend on one more file.
            "LOGNAME": ""}

    def close(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self, words, before=()):
        """Starts a command with empty standard input; `before` are words in front of the program."""
        return subprocess.Popen(
            [*before, PROGRAM, *words], env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(self, process, words, timeout=120):
        """Waits for a command to end."""
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            fail(f"dogwalk {' '.join(words)!r} did not end within {timeout} s")
        return Answer(
            words, process.returncode, output.decode(errors="replace"), errors.decode(errors="replace"))

    def run(self, *words, timeout=120):
        """Runs a command; a trap ends the harness."""
        answer = self.end(self.start(words), words, timeout)
        if answer.code not in EXPECTED or "report it" in answer.errors:
            fail(f"a command trapped: {answer}")
        return answer

    def must(self, *words):
        """Runs a command that must succeed."""
        answer = self.run(*words)
        if answer.code != DONE:
            fail(f"a command failed: {answer}")
        return answer

    def copy_store(self, path):
        """Copies the store, with the log or journal that a killed command has left."""
        for suffix in ("", "-wal", "-journal"):
            if os.path.exists(self.store + suffix):
                shutil.copy(self.store + suffix, path + suffix)

    def copy_of_store(self):
        """Returns a copy of the store, since opening one with SQLite changes the files beside it."""
        path = os.path.join(tempfile.mkdtemp(prefix="copy-"), "store")
        self.copy_store(path)
        return path

    @contextlib.contextmanager
    def copy(self):
        """Yields another prompt in a temporary copy of this folder."""
        copy = Prompt()
        try:
            shutil.copytree(self.home, copy.home, dirs_exist_ok=True)
            yield copy
        finally:
            copy.close()

    def rows(self, statement):
        """Returns the result of a query on a copy of the store."""
        copy = self.copy_of_store()
        connection = sqlite3.connect(copy)
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()
            shutil.rmtree(os.path.dirname(copy))

    def state(self, uuids=True):
        """Returns the store's content: walks, dogs, commands; without uuids, it does not depend on random numbers."""
        state = [self.must(*words, "--json").json for words in (["list"], ["dogs"], ["history"])]
        for walk in [] if uuids else state[0]["walks"]:
            del walk["uuid"]
        return state

    def check(self, when):
        """Checks the store: no dangling references, and no wrong counts."""
        doctor = self.run("doctor", "--json")
        if doctor.code != DONE:
            fail(f"{when}: {doctor}")
        # A missing or empty file is not yet a store, nor is one that a journal rolls back to that
        # state.
        if not os.path.exists(self.store) or not self.rows("SELECT 1 FROM sqlite_schema"):
            count("stores that were not made yet")
            return
        dangling = self.rows("SELECT count(*) FROM ZWALK WHERE ZDOG NOT IN (SELECT Z_PK FROM ZDOG)")[0][0]
        if dangling:
            fail(f"{when}: {dangling} walks whose dog does not exist")
        if not os.path.exists(CHECKER):
            count(UNCHECKED)
            return
        copy = self.copy_of_store()
        verdict = subprocess.run(
            [sys.executable, CHECKER, copy, MODELS[doctor.json["version"]]], capture_output=True, text=True)
        shutil.rmtree(os.path.dirname(copy))
        if verdict.returncode != 0:
            fail(f"{when}: {verdict.stdout}{verdict.stderr}")
        count("stores held against check_store.py")

    def check_that_it_goes_on(self, when):
        """Adds a walk to a copy, which must then contain it and all others."""
        with self.copy() as copy:
            before = copy.number_of_walks()
            answer = copy.run("add", "--dog", "Nala", "--new", "--duration", "7m", "--at", "2026-11-20T05:00")
            if answer.code != DONE:
                fail(f"{when} no walk can be added: {answer}")
            after = copy.number_of_walks()
            if after != before + 1:
                fail(f"{when} there were {before} walks, and after adding one there are {after}")

    def number_of_walks(self):
        return len(self.must("list", "--json").json["walks"])

"""Records the system calls of a command with strace, or injects a kill or an error into one of them.

A call is identified by its kind and its number among the calls of that kind: `when=7` of strace's injections is the
seventh call of a kind, not the seventh of all calls.
"""

import collections
import re
import shutil
import signal

from workshop import *

# The number-th call of a kind in a thread, and its line in strace's output.
Call = collections.namedtuple("Call", "kind number text")

KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
_CALL = re.compile(r"(\d+) +(\w+)\(")


def need_strace():
    """Skips the harness if strace is missing."""
    if shutil.which("strace") is None:
        skip("strace is not here")


def traced(prompt, words, *options):
    """Runs a command under strace; returns its result, and the lines that strace wrote."""
    folder = tempfile.mkdtemp(prefix="trace-")
    path = os.path.join(folder, "trace")
    try:
        answer = prompt.end(prompt.start(words, ["strace", "-f", "-qq", "-o", path, *options]), words)
        if not os.path.exists(path):
            fail(f"strace does not work: {answer}")
        with open(path, errors="replace") as file:
            return answer, file.read().splitlines()
    finally:
        shutil.rmtree(folder)


def system_calls(lines):
    """Returns the calls in a trace, in order, without the one of strace that starts the program."""
    before = collections.Counter()
    calls = []
    for line in lines:
        if (match := _CALL.match(line)) and match[2] != "execve":
            before[match.groups()] += 1
            calls.append(Call(match[2], before[match.groups()], line))
    return calls


def inject(prompt, words, call, what, lasting=False):
    """Runs a command with an injection into a call, or also into all later ones of its kind; returns also whether the
    command made the call.

    Injections are those of strace: `signal=KILL`, before the call has any effect, or `error=EIO`.
    """
    when = f"{call.number}+" if lasting else call.number
    answer, lines = traced(prompt, words, "-e", f"trace={call.kind}", "-e", f"inject={call.kind}:{what}:when={when}")
    return answer, answer.code in KILLED or any("(INJECTED)" in line for line in lines)


class Deck:
    """Yields random items, each of them once before any of them again."""

    def __init__(self):
        self.dealt = collections.defaultdict(set)

    def deal(self, kind, things):
        left = [thing for thing in things if thing not in self.dealt[kind]]
        if not left:
            self.dealt[kind].clear()
        thing = RANDOM.choice(left or things)
        self.dealt[kind].add(thing)
        return thing

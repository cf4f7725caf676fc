"""The system calls of a command, by strace: which ones it makes, and one of them that kills it or fails.

A call is known by its kind and by how many of that kind came before it: `when=7` of strace's injections is the seventh
call of one kind, not the seventh of all.
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
    """Skips the harness where there is no strace."""
    if shutil.which("strace") is None:
        skip("strace is not here")


def traced(prompt, words, *options):
    """Runs a command under strace; what came of it, and the lines that strace wrote."""
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
    """The calls in a trace, in their order; but for that which starts the program, which is strace's."""
    before = collections.Counter()
    calls = []
    for line in lines:
        if (match := _CALL.match(line)) and match[2] != "execve":
            before[match.groups()] += 1
            calls.append(Call(match[2], before[match.groups()], line))
    return calls


def inject(prompt, words, call, what, lasting=False):
    """Runs a command in which a call does something else, or it and all later ones of its kind; whether it came.

    What else is as strace has it: `signal=KILL`, before the call has done anything, or `error=EIO`.
    """
    when = f"{call.number}+" if lasting else call.number
    answer, lines = traced(prompt, words, "-e", f"trace={call.kind}", "-e", f"inject={call.kind}:{what}:when={when}")
    return answer, answer.code in KILLED or any("(INJECTED)" in line for line in lines)


class Deck:
    """Deals each thing of a kind once, as chance has it, before it deals one again."""

    def __init__(self):
        self.dealt = collections.defaultdict(set)

    def deal(self, kind, things):
        left = [thing for thing in things if thing not in self.dealt[kind]]
        if not left:
            self.dealt[kind].clear()
        thing = RANDOM.choice(left or things)
        self.dealt[kind].add(thing)
        return thing

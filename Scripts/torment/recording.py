"""Records with strace what a command does to the files of a folder, to repeat it on a model of a disk."""

import codecs

from disk import *
from systemcalls import *

# The system calls that can change a folder's files. `Recording` has a method for each one that the
# program uses.
KINDS = (
    "open,openat,creat,close,lseek,read,write,pwrite64,writev,pwritev,pwritev2,truncate,ftruncate,fallocate,"
    "copy_file_range,sendfile,splice,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,"
    "mkdir,mkdirat,rmdir,fsync,fdatasync,sync,syncfs,sync_file_range,dup,dup2,dup3")
_LINE = re.compile(r"\d+ +(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


class Recording:
    """The steps of a command, each of which is one operation on a disk."""

    def __init__(self, prompt, words, *options):
        # Paths and contents are in hexadecimal, so that they cannot be confused with strace's own
        # text.
        self.answer, lines = traced(
            prompt, words, "-y", "-xx", "-s", "100000000", "-e", f"trace={KINDS}", *options)
        self.home = os.path.realpath(prompt.home)
        self._files = {}
        # The steps, with None where the command reports its result on standard output.
        self.steps = [step for line in whole_calls(lines) for step in self._steps(line)]
        self.says_at = self.steps.index(None) if None in self.steps else None

    def _steps(self, line):
        match = _LINE.match(line)
        if not match or match[3] == "-1":
            return []
        kind, result = match[1], int(match[3])
        strings = [text(found[0]) for found in _STRING.findall(match[2])]
        arguments = re.sub(r"<[^>]*>(\(deleted\))?", "", _STRING.sub("", match[2])).split(", ")
        step = getattr(self, f"_{kind}", None)
        if step is None:
            if text(match[2]).find(os.fsencode(self.home)) >= 0:
                fail(f"a recording does not support {kind}: {line[:500]}")
            return []
        return [step for step in [step(arguments, strings, result, text(match[4] or ""))] if step is not SKIP]

    def _open(self, arguments, strings, result, path):
        path = os.fsdecode(path)
        self._files[result] = file = [None, 0]
        if path != self.home and not path.startswith(self.home + "/"):
            return SKIP
        flags = next(argument for argument in arguments if argument.startswith("O_")).split("|")
        truncates, appends = "O_TRUNC" in flags, "O_APPEND" in flags

        def step(disk, open_files):
            what = disk.find(path)
            if what is None:
                what = File()
                folder, name = disk.entry(path)
                folder.change({name: what})
            elif truncates:
                what.resize(0)
            open_files[result] = [what, len(what.content) if appends else 0]
        file[0] = path
        return step

    _openat = _creat = _open

    def _close(self, arguments, strings, result, path):
        self._files.pop(int(arguments[0]), None)
        return SKIP

    def _at(self, arguments, do):
        """Returns a step on an open file; None if the file is outside the folder."""
        number = int(arguments[0])
        if self._files.get(number, [None])[0] is None:
            return SKIP
        return lambda disk, open_files: do(open_files[number])

    def _lseek(self, arguments, strings, result, path):
        def do(file):
            file[1] = result
        return self._at(arguments, do)

    def _read(self, arguments, strings, result, path):
        def do(file):
            file[1] += result
        return self._at(arguments, do)

    def _write(self, arguments, strings, result, path):
        if arguments[0] == "1":
            return None

        def do(file):
            file[0].write(file[1], strings[0][:result])
            file[1] += result
        return self._at(arguments, do)

    def _pwrite64(self, arguments, strings, result, path):
        return self._at(arguments, lambda file: file[0].write(int(arguments[3]), strings[0][:result]))

    def _ftruncate(self, arguments, strings, result, path):
        return self._at(arguments, lambda file: file[0].resize(int(arguments[1])))

    def _fsync(self, arguments, strings, result, path):
        return self._at(arguments, lambda file: file[0].sync())

    _fdatasync = _fsync

    def _rename(self, arguments, strings, result, path):
        def step(disk, open_files):
            (folder, name), (new_folder, new_name) = map(disk.entry, map(os.fsdecode, strings))
            if folder is not new_folder:
                fail(f"a recording does not support renaming across folders: {strings}")
            if folder is not None:
                folder.change({name: None, new_name: folder.names[name]})
        return step

    _renameat = _renameat2 = _rename

    def _name(self, path, what):
        """Returns a step that sets what is at a path to the result of a function of the disk; None removes the name."""
        def step(disk, open_files):
            folder, name = disk.entry(os.fsdecode(path))
            if folder is not None:
                folder.change({name: what(disk)})
        return step

    def _link(self, arguments, strings, result, path):
        return self._name(strings[1], lambda disk: disk.find(os.fsdecode(strings[0])))

    _linkat = _link

    def _unlink(self, arguments, strings, result, path):
        return self._name(strings[0], lambda disk: None)

    _unlinkat = _rmdir = _unlink

    def _mkdir(self, arguments, strings, result, path):
        return self._name(strings[0], lambda disk: Folder())

    _mkdirat = _mkdir


# Marks a call without a step.
SKIP = object()


def text(hexadecimal):
    """Decodes bytes that strace has written as `\\x2f\\x74`; other text is unchanged."""
    return codecs.escape_decode(hexadecimal.encode())[0]


def whole_calls(lines):
    """Yields the calls in a trace, joining those that strace has split because of another thread."""
    begun = {}
    for line in lines:
        thread, _, rest = line.partition(" ")
        if line.endswith("<unfinished ...>"):
            begun[thread] = line[:-len("<unfinished ...>")]
        elif rest.lstrip().startswith("<... ") and thread in begun:
            yield begun.pop(thread) + rest.partition("resumed>")[2]
        else:
            yield line

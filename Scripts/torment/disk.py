"""A model of a folder on a disk: what is synced, and what was written since, of which a power loss may keep any part.

A file's content is safe once the file was synced, its name once the folder was. Of later writes, each sector of 512
bytes may be on the disk or not, and the size may be any that the file had in between; of names that were created,
changed or removed since, any may be on the disk, or only the first of them, as on a disk with a journal.
"""

import os

SECTOR = 512


class File:
    """A file's content: the synced one, the writes since, and the current one."""

    def __init__(self, content=b""):
        self.synced = bytes(content)
        self.content = bytearray(content)
        # Offsets with bytes, and sizes.
        self.writes = []

    def write(self, offset, content):
        self.writes.append((offset, content))
        self._put(self.content, offset, content)

    def resize(self, size):
        self.writes.append((size, None))
        self._resize(self.content, size)

    def sync(self):
        self.synced, self.writes = bytes(self.content), []

    def after_power_loss(self, random):
        """Returns what a power loss leaves of the content."""
        left, sizes = bytearray(self.synced), [len(self.synced)]
        share = random.choice([0, 0.1, 0.5, 0.9, 1])
        # Often the first writes have completed.
        surely = random.choice([0, random.randrange(len(self.writes) + 1)])
        for number, (offset, content) in enumerate(self.writes):
            chance = 1 if number < surely else share
            for start, piece in [(offset, None)] if content is None else self._sectors(offset, content):
                if random.random() >= chance:
                    continue
                if piece is None:
                    self._resize(left, start)
                else:
                    self._put(left, start, piece)
            sizes.append(offset if content is None else max(sizes[-1], offset + len(content)))
        if random.random() < 0.3:
            self._resize(left, random.choice(sizes))
        return bytes(left)

    @staticmethod
    def _sectors(offset, content):
        """Yields the parts of a write that a disk writes atomically."""
        start = 0
        while start < len(content):
            end = min(len(content), start + SECTOR - (offset + start) % SECTOR)
            yield offset + start, content[start:end]
            start = end

    @staticmethod
    def _put(content, offset, piece):
        if len(content) < offset:
            content.extend(bytes(offset - len(content)))
        content[offset:offset + len(piece)] = piece

    @staticmethod
    def _resize(content, size):
        del content[size:]
        content.extend(bytes(size - len(content)))


class Folder:
    """A folder's names: the synced ones, the changes since, and the current ones."""

    def __init__(self):
        self.synced, self.names = {}, {}
        # Names with their files, None for removed ones; those in one entry change together or not
        # at all.
        self.changes = []

    def change(self, names):
        self.changes.append(names)
        self._apply(self.names, names)

    def sync(self):
        self.synced, self.changes = dict(self.names), []

    def after_power_loss(self, random):
        """Returns the names that a power loss leaves, with their files and folders."""
        left = dict(self.synced)
        share = random.choice([0, 0.5, 1])
        surely = random.choice([0, random.randrange(len(self.changes) + 1)])
        for number, names in enumerate(self.changes):
            if number < surely or random.random() < share:
                self._apply(left, names)
        return left

    @staticmethod
    def _apply(to, names):
        to.update(names)
        for name in [name for name, what in names.items() if what is None]:
            to.pop(name, None)


class Disk:
    """A folder, the folders in it and their files."""

    def __init__(self, path):
        self.path = os.path.realpath(path)
        self.root = self._load(self.path)

    def _load(self, path):
        folder = Folder()
        for entry in os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                folder.names[entry.name] = self._load(entry.path)
            else:
                with open(entry.path, "rb") as file:
                    folder.names[entry.name] = File(file.read())
        folder.sync()
        return folder

    def find(self, path):
        """Returns the folder or file at a path; None if there is none, or the path is outside the folder."""
        path = os.path.normpath(os.path.join(self.path, path))
        if path == self.path:
            return self.root
        found = self.root if path.startswith(self.path + "/") else None
        for name in path[len(self.path) + 1:].split("/"):
            found = found.names.get(name) if isinstance(found, Folder) else None
        return found

    def entry(self, path):
        """Returns the folder that contains a path, None if that is outside, and the last name of the path."""
        folder, name = os.path.split(os.path.normpath(os.path.join(self.path, path)))
        folder = self.find(folder)
        return folder if isinstance(folder, Folder) else None, name

    def write_after_power_loss(self, random, path):
        """Writes what a power loss leaves into an empty folder."""
        self._write(self.root, random, path)

    def _write(self, folder, random, path):
        for name, what in sorted(folder.after_power_loss(random).items()):
            place = os.path.join(path, name)
            if isinstance(what, Folder):
                os.mkdir(place, 0o700)
                self._write(what, random, place)
            else:
                with open(place, "wb") as file:
                    file.write(what.after_power_loss(random))
                os.chmod(place, 0o600)

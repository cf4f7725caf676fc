"""A causality model of stores that sync, which checks the result of each sync.

Every change of a value is an event, and each store's version of a value contains all events that led to
it, as a set of bits: a version vector. The events that two versions have in common show what has changed
since: a version whose value is that of the last common events is unchanged, and may be replaced without
a message. If both were changed, the sync has to report a conflict, and both stores then have one of the
two values. The model uses no clocks, and is independent of the program's implementation.
"""

import sqlite3

# The names of values in a sync's conflicts.
TOLD_AS = {
    "date": {"start"}, "offset": {"start", "offset from UTC"}, "duration": {"length"}, "ongoing": {"length", "state"},
    "distance": {"distance"}, "note": {"note"}, "walker": {"walker"}, "dog": {"dog"}, "pees": {"pees"},
    "poos": {"poos"}, "name": {"name"}, "target": {"target"}, "gap": {"gap"}}
TAGS = ["park", "wood", "lake"]
# A tag that one store added and the other removed is kept, without a conflict.
WALK_FIELDS = ["date", "offset", "duration", "ongoing", "distance", "note", "walker", "dog", "pees", "poos", *TAGS]
DOG_FIELDS = ["name", "target", "gap"]

WALKS = """
    SELECT w.ZUUID, w.Z_PK, w.ZDATE, w.ZUTCOFFSET, w.ZDURATION, w.ZISONGOING, w.ZDISTANCE, w.ZNOTE, p.ZNAMEKEY, d.ZUUID,
        w.ZPEECOUNT, w.ZPOOCOUNT
    FROM ZWALK w LEFT JOIN ZDOG d ON d.Z_PK = w.ZDOG LEFT JOIN ZWALKER p ON p.Z_PK = w.ZWALKER ORDER BY w.Z_PK"""
TAGGED = "SELECT l.Z_4WALKS, t.ZNAMEKEY FROM Z_2WALKS l JOIN ZTAG t ON t.Z_PK = l.Z_2TAGS"
DOGS = "SELECT ZUUID, ZNAMEKEY, ZTARGETMINUTES, ZMAXIMUMGAP FROM ZDOG"


class Content:
    """The walks and dogs of a store, by UUID, and the walks' numbers."""

    def __init__(self, path):
        connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        try:
            rows, tagged, dogs = [connection.execute(statement).fetchall() for statement in (WALKS, TAGGED, DOGS)]
        finally:
            connection.close()
        self.numbers = [row[1] for row in rows]
        self.walks = {}
        for row in rows:
            tags = {name for number, name in tagged if number == row[1]}
            self.walks[row[0].hex()] = dict(
                zip(WALK_FIELDS, [*row[2:9], row[9] and row[9].hex(), *row[10:], *(tag in tags for tag in TAGS)]))
        self.dogs = {uuid.hex(): dict(zip(DOG_FIELDS, values)) for uuid, *values in dogs}

    def things(self):
        return [("walk", self.walks), ("dog", self.dogs)]


class Broken(Exception):
    """An error that a sync made."""

    def __init__(self, kind, what):
        super().__init__(f"{kind}: {what}")
        self.kind = kind


class Value:
    """A value in a store, and its events."""

    __slots__ = ("value", "past")

    def __init__(self, value, past):
        self.value, self.past = value, past


class Household:
    """Some stores, the events of their values, and merged dogs."""

    def __init__(self, number):
        # By the kind and UUID of an object: each of its values, and whether it exists.
        self.stores = [{} for _ in range(number)]
        # The same at the last sync or copy: a value that equals this one has not changed.
        self.met = [{} for _ in range(number)]
        # Objects that the undo of a sync removed, in case a redo or a further undo restores them.
        self.withdrawn = [{} for _ in range(number)]
        # By object and field: the value and past of each event.
        self.events = {}
        # Merged values by value and past: the same merge elsewhere is not another event.
        self.made = {}
        self.same_dogs = {}
        # Reported conflicts that the model does not see, since the program remembers less.
        self.needless = 0

    # Changes in single stores

    def copy(self, store, other):
        self.stores[other] = {thing: dict(values) for thing, values in self.stores[store].items()}
        for each in (store, other):
            self.met[each] = {thing: dict(values) for thing, values in self.stores[store].items()}
        self.withdrawn[other] = dict(self.withdrawn[store])

    def set(self, thing, field, value, past):
        events = self.events.setdefault((thing, field), [])
        past |= 1 << len(events)
        events.append((value, past))
        return Value(value, past)

    def note(self, store, content, answer):
        """Records the changes of a command."""
        isWithdrawing = "Undid: sync " in answer
        known = self.stores[store]
        for kind, things in content.things():
            for uuid, values in things.items():
                thing = (kind, uuid)
                if thing not in known and thing in self.withdrawn[store]:
                    known[thing] = self.withdrawn[store].pop(thing)
                own = known.setdefault(thing, {})
                for field, value in [("alive", True), *values.items()]:
                    old = own.get(field)
                    met = self.met[store].get(thing, {}).get(field)
                    if old is not None and self.current(old.value) == self.current(value):
                        continue
                    if met is not None and self.current(met.value) == self.current(value):
                        own[field] = met
                    else:
                        own[field] = self.set(thing, field, value, old.past if old else 0)
            for thing in [thing for thing in known if thing[0] == kind and thing[1] not in things]:
                alive = known[thing]["alive"]
                if alive.value and isWithdrawing:
                    # The object does not count as deleted, but as if it had never been received: it
                    # comes back.
                    self.withdrawn[store][thing] = known.pop(thing)
                    self.met[store].pop(thing, None)
                elif alive.value:
                    # Changes since the last sync are unknown to other stores.
                    met = self.met[store].get(thing)
                    dead = dict(met or known[thing])
                    if not met or met["alive"].value:
                        dead["alive"] = self.set(thing, "alive", False, alive.past)
                    known[thing] = dead

    # Known events

    def current(self, value):
        """Returns the dog that a dog was merged into."""
        while value in self.same_dogs:
            value = self.same_dogs[value]
        return value

    def is_met(self, thing, field, value, past):
        """Returns whether a value's current version is contained in some events."""
        events, common = self.events[thing, field], value.past & past
        numbers = [number for number in range(common.bit_length()) if common >> number & 1]
        last = [number for number in numbers
                if not any(other != number and events[other][1] >> number & 1 for other in numbers)]
        return bool(last) and all(self.current(events[number][0]) == self.current(value.value) for number in last)

    def past(self, *values):
        """Returns the events of some values."""
        past = 0
        for each in values:
            past |= each.past
        return past

    def joined(self, thing, field, value, *values):
        """Returns the joined version: a new event, unless one version contains all events of the other."""
        past = self.past(*values)
        isAlike = all(self.current(each.value) == self.current(value) for each in values)
        if isAlike or any(
                each.past == past and self.current(each.value) == self.current(value) for each in values):
            return Value(value, past)
        key = (thing, field, self.current(value), past)
        if key not in self.made:
            self.made[key] = self.set(thing, field, value, past)
        return self.made[key]

    # Syncs

    def sync(self, one, other, contents, told, kept=()):
        """Checks a sync of two stores.

        `contents` are those of the stores afterwards; `told` are the properties of the reported conflicts, by the
        UUID of a walk or the name of a dog; `kept` are walks that it reported as restored, since they changed.
        """
        self.kept = kept
        mine, others = self.stores[one], self.stores[other]
        self.note_joined_dogs(one, other, contents)
        for (kind, things), (_, others_things) in zip(*(content.things() for content in contents)):
            if {key: self.plain(values) for key, values in things.items()} != {
                    key: self.plain(values) for key, values in others_things.items()}:
                raise Broken("differ", f"{kind}s differ after a sync: {things} {others_things}")
            for uuid in sorted({key for known in (mine, others) for of, key in known if of == kind} | set(things)):
                thing = (kind, uuid)
                values = self.judge(thing, mine.get(thing), others.get(thing), things.get(uuid), told)
                for known in (mine, others, self.met[one], self.met[other]):
                    known[thing] = dict(values)

    def plain(self, values):
        return {field: self.current(value) if field == "dog" else value for field, value in values.items()}

    def note_joined_dogs(self, one, other, contents):
        before = [{uuid: values["name"].value for (kind, uuid), values in self.stores[store].items()
                   if kind == "dog" and values["alive"].value} for store in (one, other)]
        after = contents[0].dogs
        self.unsure_dogs = set()
        for gone in {uuid for dogs in before for uuid in dogs} - set(after):
            if self.current(gone) != gone:
                # A store that knows that two dogs became one keeps them so, even if an undo
                # restored them.
                self.unsure_dogs |= {gone, self.current(gone)}
            for stays, values in after.items():
                names = {dogs[stays] for dogs in before if stays in dogs} | {values["name"]}
                if names & {dogs[gone] for dogs in before if gone in dogs}:
                    if self.current(stays) != self.current(gone):
                        self.same_dogs[self.current(gone)] = self.current(stays)
                    self.unsure_dogs |= {gone, stays}

    def judge(self, thing, mine, others, after, told):
        """Returns the versions of an object after a correct sync."""
        sides = [side for side in (mine, others) if side is not None]
        alive = [side for side in sides if side["alive"].value]
        dead = [side for side in sides if not side["alive"].value]
        if thing[1] not in self.unsure_dogs:
            self.judge_presence(thing, alive, dead, after is not None)
        versions = [side["alive"] for side in sides]
        new = {"alive": self.joined(thing, "alive", after is not None, *versions)}
        for field in WALK_FIELDS if thing[0] == "walk" else DOG_FIELDS:
            versions = [side[field] for side in sides]
            if after is None:
                new[field] = Value((dead or sides)[0][field].value, self.past(*versions))
                continue
            value = after[field]
            if thing[1] not in self.unsure_dogs:
                isTold = self.is_told(thing, field, after, sides, told)
                self.judge_value(thing, field, value, [side[field] for side in alive], isTold)
            if dead and self.is_met(thing, field, alive[0][field], dead[0][field].past):
                # A change that the side without the deletion did not make either is not new.
                new[field] = alive[0][field]
            else:
                new[field] = self.joined(thing, field, value, *versions)
        return new

    def judge_presence(self, thing, alive, dead, isThere):
        """Checks whether an object may exist, or not, after a sync."""
        if isThere and not alive:
            raise Broken("invented", f"{thing} exists, but was in neither store")
        if not isThere and alive and not dead:
            raise Broken("lost", f"{thing} was lost, but not deleted")
        if not alive or not dead:
            return
        (side,), (other,) = alive, dead
        unmet = [field for field in side if not self.is_met(thing, field, side[field], other[field].past)]
        if not isThere and unmet:
            raise Broken("deleted", f"{thing} was deleted with unseen changes: {unmet}")
        isDeletionMet = self.is_met(thing, "alive", other["alive"], side["alive"].past)
        isTold = thing[0] == "dog" or thing[1] in self.kept
        if isThere and not unmet and not isDeletionMet and not isTold:
            raise Broken("back", f"{thing} was deleted and restored, but not changed")

    def is_told(self, thing, field, after, sides, told):
        words = TOLD_AS.get(field, set())
        if thing[0] == "walk":
            return bool(words & told.get(thing[1], set()))
        names = {after["name"]} | {side["name"].value for side in sides}
        return any(words & told.get(name, set()) for name in names)

    def judge_value(self, thing, field, value, versions, isTold):
        """Checks a value after a sync, and whether it had to be reported."""
        if self.current(value) not in [self.current(version.value) for version in versions]:
            raise Broken("invented", f"{field} of {thing}: {value!r}")
        mine, others = versions[0], versions[-1]
        if self.current(mine.value) == self.current(others.value):
            return
        isMine = self.current(mine.value) == self.current(value)
        stays, goes = (mine, others) if isMine else (others, mine)
        what = f"{field} of {thing}: {goes.value!r} was replaced by {stays.value!r}"
        if self.is_met(thing, field, goes, stays.past):
            self.needless += isTold
            return
        isStale = self.is_met(thing, field, stays, goes.past)
        if isTold:
            self.needless += isStale
            if isMine and not isStale:
                raise Broken("kept", f"{what}, but the other store's value should have stayed")
        elif isStale:
            raise Broken("stale", f"{what}, an older value")
        elif field not in TAGS:
            raise Broken("untold", f"{what}, which was not reported as a conflict")

import Foundation
import TestSupport

/// A second opinion on a store's persistent history, independent of this project's code.
///
/// A long-lived process: it keeps the store's content of the last check, and compares the
/// transactions since then with what has happened to the rows.
final class HistoryChecker {
  private let process = Process()
  private let questions = Pipe()
  private let answers = Pipe()

  /// Starts the process.
  ///
  /// - Parameter model: the Xcode model; nil for the one in the store.
  init(of store: URL, model: URL?) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", Self.script, URL.tools.path, store.path, model?.path ?? "",
    ]
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
    _ = try check()
  }

  deinit {
    try? questions.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What is wrong with the history, and with its additions since the last check: "" for nothing.
  func check() throws -> String {
    try questions.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    var answer = Data()
    while let more = try answers.fileHandleForReading.read(upToCount: 1) {
      if more == Data("\n".utf8) { return String(decoding: answer, as: UTF8.self) }
      answer += more
    }
    return "the checker has failed"
  }

  private static let script = #"""
    import re, sqlite3, sys; sys.path.insert(0, sys.argv[1])
    from coredata import Layout, Store, model_from_xml

    TABLES = {
        "ACHANGE": ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZCHANGETYPE INTEGER",
                    "ZENTITY INTEGER", "ZENTITYPK INTEGER", "ZTRANSACTIONID INTEGER", "ZCOLUMNS BLOB"],
        "ATRANSACTION": ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZAUTHORTS INTEGER",
                         "ZBUNDLEIDTS INTEGER", "ZCONTEXTNAMETS INTEGER", "ZPROCESSIDTS INTEGER",
                         "ZTIMESTAMP FLOAT", "ZAUTHOR VARCHAR", "ZBUNDLEID VARCHAR", "ZCONTEXTNAME VARCHAR",
                         "ZPROCESSID VARCHAR", "ZQUERYGEN BLOB"],
        "ATRANSACTIONSTRING": ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZNAME VARCHAR"],
    }
    INDEXES = {
        "ACHANGE_ZTRANSACTIONID_INDEX": "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        **{f"ATRANSACTION_Z{n}TS_INDEX": f"CREATE INDEX ATRANSACTION_Z{n}TS_INDEX ON ATRANSACTION (Z{n}TS)"
           for n in ("AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID")},
        "Z_TRANSACTION_TransactionAuthorIndex":
            "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "Z_TRANSACTION_TransactionTimestampIndex":
            "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "Z_TRANSACTIONSTRING_UNIQUE_NAME":
            "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    }
    NUMBERS = {"ACHANGE": (16001, "CHANGE"), "ATRANSACTION": (16002, "TRANSACTION"),
               "ATRANSACTIONSTRING": (16003, "TRANSACTIONSTRING")}

    class Checker:
        def __init__(self, path, model):
            store = Store(path)
            self.path, self.model = path, model_from_xml(model) if model else store.embedded_model()
            self.layout = layout = Layout(self.model)
            self.lineage = {}
            for name in self.model:
                line = [name]
                while self.model[line[0]]["parent"]:
                    line.insert(0, self.model[line[0]]["parent"])
                self.lineage[name] = line
            self.name = {number: name for name, number in layout.number.items()}
            self.bits = {name: self.columns_of(name) for name in self.model}
            self.tombstones = {name: sorted(k for a in line for k, p in layout.own(a).items()
                                            if p["kind"] == "attribute" and p.get("preserve"))
                               for name, line in self.lineage.items()}
            self.rows, self.links, self.last = {}, {}, 0
            self.started = False

        def properties(self, name):
            return [(a, k, p) for a in self.lineage[name] for k, p in self.layout.own(a).items()]

        def columns_of(self, name):
            """[(property, columns of its table)] bit by bit; None for a to-many."""
            column, bits = self.layout.column, []
            for a, k, p in sorted(self.properties(name), key=lambda x: x[1].encode()):
                if p["kind"] == "relationship" and p["maximum"] == 1:
                    own = {column[x] for x in ((a, k), (a, k, "order")) if x in column}
                    bits += [(k, own)] * (2 if self.layout.children[p["destination"]] else 1)
            for a in self.lineage[name]:
                for k, p in sorted(self.layout.own(a).items(), key=lambda x: x[0].encode()):
                    if p["kind"] == "attribute":
                        bits.append((k, {column[a, k]}))
            for a, k, p in sorted(self.properties(name), key=lambda x: x[1].encode()):
                if p["kind"] == "relationship" and p["maximum"] != 1:
                    bits.append((k, None))
            return bits

        def read(self, db):
            rows, links = {}, {}
            for table in self.layout.tables:
                cursor = db.execute(f"SELECT * FROM {table}")
                names = [d[0] for d in cursor.description]
                for row in cursor:
                    row = dict(zip(names, row))
                    rows[table, row["Z_PK"]] = row
            tables = {r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for (name, key), (names, own, other, order) in self.layout.joins.items():
                table = next(t for t in names if t in tables)
                links[name, key] = {(r[0], r[1]): r[2] for r in db.execute(
                    f"SELECT {own}, {other}, {order or 'NULL'} FROM {table}")}
            return rows, links

        def table(self, name):
            return "Z" + self.layout.root(name).upper()

        def expected(self, rows, links):
            """{(table, key): (type, properties)} by what has become of the rows."""
            changes, lists = {}, {}
            for place in rows.keys() | self.rows.keys():
                old, new = self.rows.get(place), rows.get(place)
                if old is None:
                    changes[place] = (0, None)
                elif new is None:
                    changes[place] = (2, None)
                else:
                    moved = {c for c in new if new[c] != old[c]}
                    derived = {self.layout.column[a, k] for a, k, p in self.properties(self.name[new["Z_ENT"]])
                               if p.get("readonly") or p.get("derivation")}
                    found = {k for k, columns in self.bits[self.name[new["Z_ENT"]]]
                             if columns and columns & (moved - derived)}
                    if found:
                        changes[place] = (1, found)
                for name in {self.name[r["Z_ENT"]] for r in (old, new) if r}:
                    for a, k, p in self.properties(name):
                        if p["kind"] != "relationship" or p["maximum"] != 1:
                            continue
                        inverse = self.layout.inverse(p)
                        if not inverse or inverse[0]["maximum"] == 1:
                            continue
                        columns = [self.layout.column[x] for x in ((a, k), (a, k, "order")) if x in self.layout.column]
                        before, after = [[r[c] if r else None for c in columns] for r in (old, new)]
                        if before != after:
                            for owner in {before[0], after[0]} - {None}:
                                lists.setdefault((self.table(p["destination"]), owner), set()).add(inverse[0]["name"])
            for (name, key), now in links.items():
                before = self.links.get((name, key), {})
                for link in now.keys() | before.keys():
                    if link not in now or link not in before or now[link] != before[link]:
                        lists.setdefault((self.table(name), link[0]), set()).add(key)
                        # A list's order is its owner's alone, but both ends of the link are told.
                        p = self.layout.own(name)[key]
                        inverse = self.layout.inverse(p)
                        if inverse:
                            lists.setdefault((self.table(p["destination"]), link[1]), set()).add(inverse[0]["name"])
            for place, found in lists.items():
                if place not in rows:
                    continue
                kind, known = changes.get(place, (1, set()))
                if kind == 1:
                    changes[place] = (1, known | found)
            return changes

        def shape(self, db):
            tables = {n: [f"{r[1]} {r[2]}" + (" PRIMARY KEY" if r[5] else "")
                          for r in db.execute(f"PRAGMA table_info({n})")] for n in TABLES}
            kept = max(map(len, self.tombstones.values()))
            for name, columns in TABLES.items():
                wanted = columns + ([f"ZTOMBSTONE{i} BLOB" for i in range(kept)] if name == "ACHANGE" else [])
                if tables[name] != wanted:
                    yield f"{name}: {tables[name]}, not {wanted}"
            indexes = {r[0]: r[1] for r in db.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')")}
            if indexes != INDEXES:
                yield f"indexes: {indexes}"
            if db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'A%'").fetchone()[0]:
                yield "triggers"
            for table, (number, name) in NUMBERS.items():
                if db.execute(f"SELECT count(*) FROM {table} WHERE Z_ENT IS NOT {number} OR Z_OPT IS NOT NULL").fetchone()[0]:
                    yield f"{table}: another Z_ENT or a Z_OPT"
                counter = db.execute("SELECT Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", (number,)).fetchone()
                least, most, count = db.execute(f"SELECT min(Z_PK), max(Z_PK), count(*) FROM {table}").fetchone()
                if counter is None or counter[:2] != (name, 0) or counter[2] < (most or 0):
                    yield f"{table}: counter {counter} with keys up to {most}"
                if count and most - least + 1 != count:
                    yield f"{table}: gaps between {least} and {most}"
                if count and not self.purged and counter[2] != most:
                    yield f"{table}: counter {counter[2]} ahead of {most}"
            texts = ("AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID")
            references = {r[0] for n in texts for r in db.execute(f"SELECT Z{n}TS FROM ATRANSACTION")} - {None}
            strings = {r[0] for r in db.execute("SELECT Z_PK FROM ATRANSACTIONSTRING")}
            if references != strings and not self.purged or references - strings:
                yield f"strings {strings}, used {references}"
            if db.execute("SELECT count(*) FROM ATRANSACTION WHERE " + " OR ".join(f"Z{n} IS NOT NULL" for n in texts)).fetchone()[0]:
                yield "texts in transactions"
            if db.execute("SELECT count(*) FROM ATRANSACTION WHERE typeof(ZTIMESTAMP) NOT IN ('real', 'integer') OR ZPROCESSIDTS IS NULL").fetchone()[0]:
                yield "a transaction without a time or a process"
            if db.execute("SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)").fetchone()[0]:
                yield "changes of no transaction"

        def look(self):
            db = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
            rows, links = self.read(db)
            self.purged = db.execute("SELECT coalesce(min(Z_PK), 2) FROM ATRANSACTION").fetchone()[0] > 1
            complaints = list(self.shape(db))
            # What was there at the first look stays as it was.
            cursor = db.execute("SELECT * FROM ACHANGE ORDER BY Z_PK")
            names = [d[0] for d in cursor.description]
            all_changes = [dict(zip(names, r)) for r in cursor]
            transactions = db.execute("SELECT * FROM ATRANSACTION ORDER BY Z_PK").fetchall()
            if not self.started:
                self.first = (all_changes, transactions)
            elif not self.purged and (all_changes[:len(self.first[0])], transactions[:len(self.first[1])]) != self.first:
                complaints.append("old rows of the history have changed")
            found, new = {}, [t[0] for t in transactions if t[0] > self.last]
            for c in all_changes:
                name = self.name.get(c["ZENTITY"])
                kind, columns = c["ZCHANGETYPE"], c["ZCOLUMNS"]
                if name is None or self.model[name]["abstract"] or kind not in (0, 1, 2):
                    complaints.append(f"change {c['Z_PK']}: entity {c['ZENTITY']}, type {kind}")
                    continue
                properties = None
                if (columns is not None) != (kind == 1):
                    complaints.append(f"change {c['Z_PK']} of type {kind} has columns {columns}")
                elif kind == 1:
                    bits = self.bits[name]
                    if len(columns) != (len(bits) + 7) // 8:
                        complaints.append(f"change {c['Z_PK']}: {len(columns)} bytes for {len(bits)} bits")
                        continue
                    on = [i for i in range(8 * len(columns)) if columns[i // 8] & 0x80 >> i % 8]
                    if not on or on[-1] >= len(bits):
                        complaints.append(f"change {c['Z_PK']}: bits {on} of {len(bits)}")
                        continue
                    properties = {bits[i][0] for i in on}
                    for i in on:
                        if any(j not in on for j, b in enumerate(bits) if b[0] == bits[i][0]):
                            complaints.append(f"change {c['Z_PK']}: half of {bits[i][0]}")
                kept = [c[n] for n in names if n.startswith("ZTOMBSTONE")]
                if c["ZTRANSACTIONID"] <= self.last or not self.started:
                    continue
                place = (self.table(name), c["ZENTITYPK"])
                wanted = [None] * len(kept)
                if kind == 2 and place in self.rows:
                    if self.rows[place]["Z_ENT"] != c["ZENTITY"]:
                        complaints.append(f"{place}: entity {c['ZENTITY']} of {self.rows[place]['Z_ENT']}")
                    for i, key in enumerate(self.tombstones[name]):
                        declarer = next(a for a in self.lineage[name] if key in self.layout.own(a))
                        wanted[i] = self.rows[place][self.layout.column[declarer, key]]
                elif place in rows and rows[place]["Z_ENT"] != c["ZENTITY"]:
                    complaints.append(f"{place}: entity {c['ZENTITY']} of {rows[place]['Z_ENT']}")
                if kept != wanted:
                    complaints.append(f"{place}: tombstone {kept}, not {wanted}")
                if (place, c["ZTRANSACTIONID"]) in found:
                    complaints.append(f"{place} twice in {c['ZTRANSACTIONID']}")
                found[place, c["ZTRANSACTIONID"]] = (kind, properties)
            if self.started:
                expected = self.expected(rows, links)
                if len(new) > 1:
                    complaints.append(f"transactions {new} since the last look: look more often")
                told = {place: change for (place, _), change in found.items()}
                for place in sorted(expected.keys() | told.keys()):
                    if expected.get(place) != told.get(place):
                        complaints.append(f"{place}: {told.get(place)}, not {expected.get(place)}")
                if new and not told:
                    complaints.append("a transaction without changes")
            self.rows, self.links, self.started = rows, links, True
            self.last = max([self.last] + new)
            db.close()
            return complaints

    checker = Checker(sys.argv[2], sys.argv[3])
    for line in sys.stdin:
        try:
            print("; ".join(checker.look()).replace("\n", " "), flush=True)
        except Exception as error:
            print(f"failed: {error!r}", flush=True)
    """#
}

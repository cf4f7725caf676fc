"""Commands that write: a table of them with the commands to run before, and random ones."""

from workshop import *

# The commands to run before, and the command. `old` stands for a store of an older version.
WRITING = {
    "add to no store": ([], "add Fido 35m 7:30"),
    "add to an empty file": (["empty"], "add Fido 35m 7:30"),
    "add": (["add Fido 35m 7:30"], "add Fido 20m 8:30"),
    "add of a new dog": (["add Fido 35m 7:30"], "add --dog Luna 20m 8:30 --new --by Ana --note rain"),
    "edit": (["add Fido 35m 7:30"], "edit 1 --note rain"),
    "delete": (["add Fido 35m 7:30"], "delete 1"),
    "start": (["add Fido 35m 7:30"], "start Fido"),
    "stop": (["add Fido 35m 7:30", "start Fido 8:30"], "stop"),
    "continue": (["add Fido 35m 7:30 +park"], "continue"),
    "undo": (["add Fido 35m 7:30"], "undo"),
    "redo": (["add Fido 35m 7:30", "undo"], "redo"),
    "import": (["add Fido 35m 7:30"], "import walks.csv"),
    "history --forget": (["add Fido 35m 7:30", "delete 1"], "history --forget -y"),
    "dogs add": (["add Fido 35m 7:30"], "dogs add Rex"),
    "dogs set": (["add Fido 35m 7:30"], "dogs set Fido --target 60m"),
    "dogs use": (["add Fido 35m 7:30", "dogs add Rex"], "dogs use Rex"),
    "dogs rename": (["add Fido 35m 7:30"], "dogs rename Fido Max"),
    "dogs delete": (["add Fido 35m 7:30"], "dogs delete -y Fido"),
    "doctor --backup": (["add Fido 35m 7:30"], "doctor --backup copy.sqlite"),
    "export": (["add Fido 35m 7:30"], "export -o walks.json"),
    "export over a file": (["add Fido 35m 7:30", "export -o walks.json", "add Fido 5m 9:00"], "export -o walks.json"),
    "add to a store of version 1": (["old 1"], "add Fido 20m 8:30"),
    "add to a store of version 2": (["old 2"], "add Fido 20m 8:30"),
}


def write_walks(prompt, number):
    """Writes a file of Rex's walks to import."""
    lines = ["dog,start,minutes"]
    for walk in range(number):
        lines.append(f"Rex,2026-{walk % 9 + 1:02}-{walk % 28 + 1:02} {walk % 24:02}:{walk % 60:02},{walk % 90 + 1}")
    with open(prompt.home + "/walks.csv", "w") as file:
        file.write("\n".join(lines) + "\n")


def old_store(prompt, version, walks):
    """Creates a store of an older version, with some walks of two dogs."""
    with open(os.path.join(PROJECT, f"Scripts/torment/old-stores/version-{version}.sql")) as file:
        script = file.read()
    connection = sqlite3.connect(prompt.store)
    connection.executescript("PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL;" + script)
    for key, name in [(1, "Fido"), (2, "Rex")]:
        connection.execute("INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 1, 1, ?)", [key, name])
        if version == 2:
            connection.execute("UPDATE ZDOG SET ZNAMEKEY = lower(ZNAME), ZTARGETMINUTES = 30")
    for key in range(1, walks + 1):
        connection.execute(
            "INSERT INTO ZWALK (Z_PK, Z_ENT, Z_OPT, ZDOG, Z_FOK_DOG, ZDATE) VALUES (?, 2, 1, ?, ?, ?)",
            [key, key % 2 + 1, key, 700_000_000 + key * 3600])
    if version == 2:
        connection.execute(
            "UPDATE ZWALK SET ZISONGOING = 0, ZUTCOFFSET = 3600, ZDURATION = 600 + Z_PK, ZNOTE = 'walk ' || Z_PK,"
            " ZWALKER = CASE Z_PK % 4 WHEN 0 THEN 'Ana' WHEN 1 THEN 'ANA' WHEN 2 THEN 'Bo' END")
        connection.executemany("UPDATE ZWALK SET ZUUID = ? WHERE Z_PK = ?", [
            (RANDOM.randbytes(16), key) for key in range(1, walks + 1)])
    connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Dog' THEN 2 ELSE ? END", [walks])
    connection.commit()
    connection.close()


def prepare(name):
    """Returns a prompt in which a command of the table can be run, and the command's words."""
    before, command = WRITING[name]
    prompt = Prompt()
    write_walks(prompt, 40)
    for line in before:
        words = line.split()
        if words[0] == "old":
            old_store(prompt, int(words[1]), 12)
        elif words[0] == "empty":
            open(prompt.store, "w").close()
        else:
            prompt.must(*words)
    return prompt, command.split()


def kind_of(words):
    """Returns the name of a command."""
    return " ".join(words[:2]) if words[0] in ("dogs", "doctor", "history") else words[0]


def any_writing_command(prompt, number):
    """Returns the words of a random command that writes; some have nothing to do."""
    ids = [walk["id"] for walk in prompt.must("list", "--json", "--limit", "20").json["walks"]]
    some = str(RANDOM.choice(ids)) if ids else "1"
    minute = f"2026-11-{number // 1440 % 20 + 1:02}T{number // 60 % 24:02}:{number % 60:02}"
    return RANDOM.choice([
        ["add", "--dog", "Fido", "--duration", f"{number % 300 + 1}m", "--at", minute, "--note", f"n{number}"],
        ["add", "--dog", f"Dog {number}", "--duration", "5m", "--at", minute, "--new"],
        ["edit", some, "--note", f"e{number}", "--duration", f"{number % 300 + 1}m"],
        ["delete", some],
        ["undo"], ["redo"],
        ["start", "--dog", "Luna"], ["stop", "--all"] if number % 2 else ["stop"],
        ["dogs", "set", "Fido", "--target", f"{number % 200 + 1}m"],
        ["dogs", "rename", "Luna", "Nala"], ["dogs", "rename", "Nala", "Luna"],
        ["dogs", "delete", "-y", "Rex"],
        ["import", "walks.csv"], ["history", "--forget", "-y"],
    ])

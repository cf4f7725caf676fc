import CommandLineKit

extension CommandSpecification {
  /// The program and all its commands, in the order of help.
  static let storetool = CommandSpecification(
    name: "storetool",
    abstract: "Inspect any app's Core Data stores, and create new ones.",
    examples: [
      .init("storetool inspect Kennel.sqlite --model Kennel.xcdatamodeld", "what is in a store"),
      .init("storetool create New.sqlite --model Kennel.xcdatamodeld", "an empty store"),
      .init(
        "storetool model Kennel.xcdatamodeld", "the contents of a model, with its version hashes"),
      .init("storetool diff Old.sqlite Kennel.xcdatamodeld", "why a store does not fit a model"),
    ],
    options: [.version],
    sharedOptions: [.color, .help],
    discussion: ["Every command explains itself: storetool inspect --help."],
    subcommands: [
      .init("inspect", .inspect), .init("create", .create), .init("model", .model),
      .init("diff", .diff), .init("migrate", .migrate), .init("convert", .convert),
      .init("history", .history),
      .init("help", .helpCommand),
    ])

  private static let inspect = CommandSpecification(
    abstract: "Show the contents of a Core Data store and the model version it belongs to.",
    examples: [
      .init(
        "storetool inspect Kennel.sqlite --model Kennel.xcdatamodeld",
        "its version, and how many objects of each entity"),
      .init(
        "storetool inspect Kennel.sqlite --model Kennel.xcdatamodeld --json",
        "every object with all its values"),
      .init(
        "storetool inspect Kennel.sqlite", "the same with the model that it holds"),
    ],
    arguments: [.storeFile],
    options: [.model, .json],
    discussion: [
      "The store is only read; neither it nor anything beside it changes. Piped output "
        + "consists of tab-separated columns: version and its name, uuid and the "
        + "UUID, and for each entity its name and count; stray and the path of each file of "
        + "a large value that is at least a day old and that nothing in the store refers "
        + "to.",
      "Without --model the store is read with the model that it holds, and there is no version; "
        + "stores from before iOS 9 hold none.",
      "XML, JSON, binary and CSV stores contain none either: without --model one is shown "
        + "as it is in the file. XML has entities in capitals and properties in lowercase, a "
        + "binary store numbers for the names of attributes.",
      "In JSON, dates are seconds since 2001-01-01 00:00 UTC; binary and transformable values are in "
        + "base64, or {\"external\": UUID} where they are in a file beside the store. A "
        + "relationship without an inverse is left out.",
    ])

  private static let create = CommandSpecification(
    abstract: "Create an empty store for a model.",
    examples: [
      .init(
        "storetool create New.sqlite --model Kennel.xcdatamodeld", "of the current version"),
      .init(
        "storetool create Old.sqlite --model Kennel.xcdatamodeld --version Kennel",
        "of the version of that name"),
    ],
    arguments: [.newStoreFile],
    options: [.model, .modelVersion, .quiet],
    discussion: ["An existing file is not changed, unless it is empty."])

  private static let model = CommandSpecification(
    abstract: "Show a model: its versions, their entities and properties, and the version hashes.",
    examples: [
      .init("storetool model Kennel.xcdatamodeld", "all versions"),
      .init("storetool model Kennel.xcdatamodeld --json", "the same for a program"),
      .init(
        "storetool model Kennel.xcdatamodeld --to Kennel.mom", "its current version, compiled"),
    ],
    arguments: [
      Argument(
        "MODEL", help: "an .xcdatamodeld, .xcdatamodel, .momd, .mom, app or store",
        completion: .files)
    ],
    options: [.json, .modelOutput, .modelVersion, .quiet],
    discussion: [
      "An app's folder is searched for compiled models. If it has several, each version "
        + "is named with its model, and one with the app's name contains all of them.",
      "Piped output consists of tab-separated columns: version, entity, property and what it is; "
        + "an entity's own line has no property, and its version hash.",
    ])

  private static let diff = CommandSpecification(
    abstract: "Show what differs between two models, and which version hashes change.",
    examples: [
      .init("storetool diff Kennel.xcdatamodeld", "the current version and the one before it"),
      .init(
        "storetool diff Kennel.xcdatamodeld --version Kennel --to-version 'Kennel 3'",
        "two of its versions"),
      .init(
        "storetool diff Old.sqlite Kennel.xcdatamodeld", "why a store does not open with a model"),
      .init("storetool diff Old.app New.app --json", "two releases, for a program"),
    ],
    arguments: [
      Argument(
        "MODEL", help: "an .xcdatamodeld, .xcdatamodel, .momd, .mom, app or store",
        completion: .files),
      Argument(
        "OTHER", help: "another one; without it two versions of MODEL", isRequired: false,
        completion: .files),
    ],
    options: [.fromVersion, .toVersion, .json],
    discussion: [
      "A store opens with a model if the version hash of each entity is the same in "
        + "both. Differences that change a version hash are marked; others, such as a "
        + "default, a delete rule or an index, do not keep a store from opening.",
      "Something counts as renamed if its renaming identifier says so, else as removed "
        + "and added.",
      "For a store that holds no model, its version is searched in OTHER; if OTHER does "
        + "not have it, only the version hashes are compared. Compiled models lack some "
        + "properties; compared with one, these are ignored.",
      "The exit code is 0 if nothing differs and 1 if something does. Piped output "
        + "consists of tab-separated columns: entity, property, added, removed, renamed "
        + "or changed, the aspect, before, after, and moved if a version hash changes.",
    ])

  private static let migrate = CommandSpecification(
    abstract: "Migrate a store to another version of its model.",
    examples: [
      .init("storetool migrate Kennel.sqlite --to Kennel.xcdatamodeld --dry-run", "only the plan"),
      .init(
        "storetool migrate Kennel.sqlite --to Kennel.xcdatamodeld --output New.sqlite",
        "into a new file"),
      .init(
        "storetool migrate Kennel.sqlite --to New.mom --from Old.mom --in-place",
        "the store itself"),
    ],
    arguments: [.sqliteFile],
    options: [
      .target, .targetVersion, .source, .mapping, .dryRun, .output, .inPlace, .json, .quiet,
    ],
    discussion: [
      "The mapping from one version to the other is inferred, or that of --mapping, "
        + "compiled or in Xcode's format; one that needs code of the app is refused. If "
        + "mappings are given for versions in between, or none leads straight to the new "
        + "one, the store is migrated step by step through the versions in --from and --to.",
      "The plan is shown first: what becomes of each entity, with how many objects. "
        + "Only --in-place changes the store; if anything fails, the store is unchanged, "
        + "and there is no new file.",
      "The model that the store was made with is the one of --from, else a version of "
        + "--to, else the one that the store holds.",
      "A new file has the files of large values and the undo log, too. The piped output "
        + "of a plan consists of tab-separated columns: for each step from and to, with "
        + "the names of the versions; entity, its name, add, remove, copy, transform or "
        + "custom, its old name and its objects; and change, with columns as those of diff.",
    ])

  private static let history = CommandSpecification(
    abstract: "Show who changed what and when, of a store that keeps a history.",
    examples: [
      .init("storetool history Kennel.sqlite", "a line for each object that was changed"),
      .init("storetool history Kennel.sqlite --author widget", "what one author did"),
      .init("storetool history Kennel.sqlite --after 120 --json", "what came later, for a program"),
    ],
    arguments: [.sqliteFile],
    options: [.author, .entity, .after, .model, .json],
    discussion: [
      "An app's store keeps a history if the app follows changes by its widget, its "
        + "extension or iCloud. The oldest change comes first. The store is only read.",
      "The column Who is the author set by the app, or otherwise the process. Properties "
        + "are those that an update changed; their names are those of the model that the "
        + "store holds, or of --model.",
      "Piped output consists of tab-separated columns: the number of the transaction, the time in "
        + "UTC, author, process, insert, update or delete, entity, primary key and properties. In "
        + "JSON, tombstone is what is kept of a deleted object.",
    ])

  private static let convert = CommandSpecification(
    abstract: "Copy a store into a new one of the same or another type.",
    examples: [
      .init(
        "storetool convert Kennel.sqlite --to sqlite -o New.sqlite", "a copy, also of one in use"),
      .init(
        "storetool convert Kennel.sqlite --to sqlite -o New.sqlite --model Kennel.mom",
        "of a store that holds no model"),
      .init(
        "storetool convert Kennel.sqlite --to json -o Kennel.json",
        "a document to read, edit and keep under version control"),
    ],
    arguments: [.storeFile],
    options: [.kind, .output, .model, .quiet],
    discussion: [
      "The store is only read; other programs may go on writing to it. The new one has "
        + "its objects, the app's metadata and the files of large values, and is checked "
        + "before it gets its name. If anything fails, there is no new file.",
      "From SQLite to SQLite it is a complete copy, with the UUID, all primary keys, "
        + "history and undo log, in a single file without a log.",
    ])

  private static let helpCommand = CommandSpecification(
    abstract: "Show help.",
    examples: [
      .init("storetool help", "the commands"),
      .init("storetool help inspect", "how to use one of them"),
    ],
    arguments: [
      Argument(
        "COMMAND", help: "the command to explain", isRequired: false, isRepeating: true,
        completion: .commands)
    ],
    options: [.manual])
}

extension Argument {
  fileprivate static let newStoreFile = Argument(
    "STORE", help: "the store's SQLite file", completion: .files)
  fileprivate static let sqliteFile = Argument(
    "STORE", help: "the store's SQLite file, or a document with one", completion: .files)
  fileprivate static let storeFile = Argument(
    "STORE", help: "a SQLite, XML, JSON or binary file, a CSV folder or a document package",
    completion: .files)
}

extension Option {
  /// `--model`: the Xcode model, as a folder with all its versions or a single one.
  static let model = Option(
    "model", value: .required("MODEL"),
    help: "an .xcdatamodeld, .xcdatamodel, .momd, .mom, app or store",
    completion: .files)
  /// `--author NAME` of `history`.
  static let author = Option(
    "author", value: .required("NAME"), help: "only what this author did")
  /// `--entity NAME` of `history`.
  static let entity = Option(
    "entity", value: .required("NAME"), help: "only objects of this entity, without subentities")
  /// `--after NUMBER` of `history`.
  static let after = Option(
    "after", value: .required("NUMBER"), help: "only what came after this transaction")
  /// `--to FILE` of `model`: where the compiled model goes.
  static let modelOutput = Option(
    "to", value: .required("FILE"), help: "write a version as a .mom file", completion: .files)
  /// `--version NAME` of `create` and `model`; the flag with the same name belongs to the program.
  static let modelVersion = Option(
    "version", value: .required("NAME"),
    help: "the version of the model; the current one unless named")
  /// `--version NAME` of `diff`: the version on one side.
  static let fromVersion = Option(
    "version", value: .required("NAME"), help: "the version of MODEL")
  /// `--to-version NAME` of `diff`: the version on the other side.
  static let toVersion = Option(
    "to-version", value: .required("NAME"), help: "the version to compare it with")
  /// `--to MODEL` of `migrate`: the model to migrate the store to.
  static let target = Option(
    "to", value: .required("MODEL"), help: "the model to migrate to", completion: .files)
  /// `--version NAME` of `migrate`; the flag with the same name belongs to the program.
  static let targetVersion = Option(
    "version", value: .required("NAME"),
    help: "the version of that model; the current one unless named")
  /// `--from MODEL` of `migrate`: the model that the store was created with.
  static let source = Option(
    "from", value: .required("MODEL"), help: "the model that the store was made with",
    completion: .files)
  /// `--mapping M` of `migrate`: a mapping model; several if it goes through several versions.
  static let mapping = Option(
    "mapping", value: .required("M"), isRepeating: true,
    help: "a mapping to migrate by (.cdm, .xcmappingmodel)", completion: .files)
  /// `--to KIND` of `convert`.
  static let kind = Option(
    "to", value: .required("KIND"),
    help: "the kind of the new store: \(StoreKind.all.map(\.name).joined(separator: ", "))",
    completion: .choices(StoreKind.all.map(\.name)))
  /// `--dry-run` of `migrate`.
  static let dryRun = flag("dry-run", help: "show the plan, and change nothing")
  /// `--output NEW` of `migrate` and `convert`.
  static let output = Option(
    "output", short: "o", value: .required("NEW"), help: "make a new file", completion: .files)
  /// `--in-place` of `migrate`.
  static let inPlace = flag("in-place", help: "change the store itself")
}

import Testing

@testable import CommandLineKit

extension CommandSpecification {
  /// A small program with a command of each kind.
  static let sample = CommandSpecification(
    name: "dogwalk",
    abstract: "Keep a log of walks.",
    examples: [.init("dogwalk add Fido 35m", "write a walk down")],
    sharedOptions: [
      Option(
        "store", value: .required("PATH"), help: "use this store file instead of the usual one",
        completion: .files), .color, .quiet, .version, .help,
    ],
    subcommands: [
      .init(
        "add",
        CommandSpecification(
          abstract: "Add a walk.",
          examples: [
            .init("dogwalk add Fido 35m", "35 minutes that end now"),
            .init("dogwalk add Fido Rex 1h15 mon 7:30", "two dogs, one hour and a quarter"),
          ],
          arguments: [
            Argument(
              "WORDS", help: "dogs, a duration, a time", isRequired: false, isRepeating: true)
          ],
          options: [
            Option(
              "dog", short: "d", value: .required("NAME"), isRepeating: true,
              help: "whose walk it is"
            ),
            Option("note", short: "n", value: .required("TEXT"), help: "what there is to say"),
            Option("pee", value: .optional("N"), help: "how often"),
            .flag("new", help: "insist on a new dog's name"),
          ])),
      .init(
        "list",
        CommandSpecification(
          abstract: "Show walks.",
          options: [
            .flag("json", help: "print JSON"),
            Option("month", value: .optional("YYYY-MM"), help: "walks of a month"),
          ])),
      .init(
        "delete",
        CommandSpecification(
          abstract: "Delete walks.",
          arguments: [Argument("ID", help: "the number of a walk", isRepeating: true)],
          options: [.flag("yes", short: "y", help: "ask nothing")])),
      .init(
        "dogs",
        CommandSpecification(
          abstract: "Show how every dog stands.",
          options: [
            Option("within", value: .required("DURATION"), help: "how long ago at most"),
            .flag("json", help: "print JSON"),
          ],
          subcommands: [
            .init(
              "rename",
              CommandSpecification(
                abstract: "Give a dog another name.",
                arguments: [
                  Argument("OLD", help: "its name"), Argument("NEW", help: "its new name"),
                ]))
          ])),
      .init(
        "help",
        CommandSpecification(
          abstract: "Show help.",
          arguments: [
            Argument("COMMAND", help: "the command", isRequired: false, isRepeating: true)
          ])),
    ],
    synonyms: [
      .init("list", ["ls"]), .init("list today", ["today"]), .init("delete", ["rm", "remove"]),
    ],
    defaultSubcommand: "dogs")
}

@Suite struct `A command line` {
  func invoke(_ line: String) throws -> Invocation {
    try Invocation(words: line.split(separator: " ").map(String.init), commands: .sample)
  }

  func values(_ line: String) throws -> ArgumentValues {
    guard case .run(_, let values) = try invoke(line) else {
      throw ValidationError("\(line) runs nothing")
    }
    return values
  }

  func option(_ name: String) throws -> Option {
    try #require(CommandSpecification.sample.allOptions.first { $0.name == name })
  }

  func message(_ words: String...) -> String? { message(words) }

  func message(_ words: [String]) -> String? {
    do {
      _ = try Invocation(words: words, commands: .sample)
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ("", ["dogs"]), ("list", ["list"]), ("dogs rename a b", ["dogs", "rename"]),
    ("--json", ["dogs"]), ("--store x list", ["list"]), ("-q --color=never dogs", ["dogs"]),
    ("dogs --within 8h rename a b", ["dogs", "rename"]), ("-d list add", ["add"]),
    ("-qd list add", ["add"]), ("-dlist add", ["add"]),
  ])
  func `names a command`(line: String, names: [String]) throws {
    // `--within` belongs to `dogs`, not to `rename`: reading stops there, searching does not.
    let search = try CommandSearch(
      words: line.split(separator: " ").map(String.init), root: .sample)
    #expect(search.path.names == names)
  }

  @Test(arguments: [
    "add --dog Fido 35m", "add --dog=Fido 35m", "add -d Fido 35m", "add -dFido 35m",
    "add -d=Fido 35m", "add 35m -d Fido", "--dog Fido add 35m", "add 35m -qd Fido",
  ])
  func `gives an option its value in every spelling`(line: String) throws {
    let values = try values(line)
    #expect(values.all(try option("dog")) == ["Fido"])
    #expect(values.operands == ["35m"])
  }

  @Test func `keeps the values of a repeating option in order`() throws {
    #expect(try values("add -d b --dog a -dc").all(option("dog")) == ["b", "a", "c"])
  }

  @Test func `takes an optional value only behind an equals sign`() throws {
    let pee = try option("pee")
    #expect(try values("add --pee=2")[pee] == "2")
    let bare = try values("add --pee 20m")
    #expect(bare.contains(pee) && bare[pee] == nil && bare.operands == ["20m"])
  }

  @Test func `takes a number after an optional value where there are no operands`() throws {
    #expect(try values("list --month 2026-11")[option("month")] == "2026-11")
    #expect(try values("list --month --json").contains(option("month")))
    #expect(message("list", "--month", "today")?.contains("\"today\" is unexpected") == true)
  }

  @Test(arguments: ["2", "2026-11"])
  func `refuses a number where an equals sign was forgotten`(word: String) {
    #expect(
      message("add", "--pee", word)
        == "--pee takes its value only after an equals sign. "
        + "Write --pee=\(word), or put \(word) before --pee.")
    // Beside another number it would be one too many.
    #expect(
      message("add", "20m", "--pee", word)
        == "--pee takes its value only after an equals sign. Write --pee=\(word).")
  }

  @Test(arguments: ["7:30", "2026-11-20", "Fido"])
  func `takes a word after an optional value as an operand`(word: String) throws {
    #expect(try values("add --pee \(word)").operands == [word])
  }

  @Test func `ends its options at two dashes`() throws {
    let values = try values("add -- --dog -- -q")
    #expect(values.operands == ["--dog", "--", "-q"])
    #expect(!values.contains(.quiet))
  }

  @Test func `takes a lone dash as an operand`() throws {
    #expect(try values("add -").operands == ["-"])
  }

  @Test func `takes a text with a space as a value even if it begins with a dash`() throws {
    let words = ["add", "--note", "- pulled a lot"]
    guard case .run(_, let values) = try Invocation(words: words, commands: .sample) else {
      Issue.record("nothing is run")
      return
    }
    #expect(values[try option("note")] == "- pulled a lot")
  }

  @Test func `takes an empty value and one with an equals sign`() throws {
    #expect(try values("add --note=")[option("note")] == "")
    #expect(try values("add --note=a=b")[option("note")] == "a=b")
  }

  @Test(arguments: [
    "--help", "-h", "list -h", "add --dgo --help", "delete --help", "add -qh", "add --dog --help",
    "help", "help dogs rename", "--version", "list --version",
  ])
  func `asks for help or the version whatever else is wrong`(line: String) throws {
    if case .run = try invoke(line) { Issue.record("\(line) runs something") }
  }

  @Test func `asks for the help of the command it names`() throws {
    #expect(try invoke("--help") == .help(CommandPath(root: .sample)))
    guard case .help(let path) = try invoke("help --store x -q dogs rename") else {
      Issue.record("no help")
      return
    }
    #expect(path.call == "dogwalk dogs rename")
  }

  @Test func `says what is wrong and what to do`() {
    #expect(message("add", "--dgo", "x") == "unknown option --dgo. Did you mean --dog?")
    #expect(
      message("add", "--frobnicate") == "unknown option --frobnicate. See dogwalk add --help.")
    #expect(message("add", "-x") == "unknown option -x. See dogwalk add --help.")
    #expect(
      message("add", "-5m")
        == "\"-5m\": a length or a number cannot be negative. Leave the minus sign out.")
    for (word, meant) in [("ad", "add"), ("ls", "list"), ("rm", "delete"), ("remove", "delete")] {
      #expect(message(word) == "unknown command \(word). Did you mean \(meant)?")
    }
    #expect(
      message("dogs", "--within", "-1")
        == "--within -1: a number cannot be negative. Leave the minus sign out.")
    #expect(
      message("add", "--note", "-1")
        == "--note -1: a number cannot be negative. "
        + "Leave the minus sign out, or write --note=-1 for a text.")
    #expect(message("--list") == "unknown option --list. Did you mean dogwalk list?")
    #expect(message("--pee") == "unknown option --pee. It is an option of dogwalk add.")
    #expect(message("-v") == "unknown option -v. Did you mean --version?")
    #expect(message("lits") == "unknown command lits. Did you mean list?")
    #expect(message("frobnicate") == "unknown command frobnicate. See dogwalk --help.")
    #expect(message("dogs", "renam") == "unknown command dogs renam. Did you mean dogs rename?")
    #expect(message("rename", "Ana") == "unknown command rename. Did you mean dogwalk dogs rename?")
    #expect(message("help", "lits") == "unknown command lits. Did you mean list?")
    #expect(
      message("list", "Fido")
        == "list takes options only: \"Fido\" is unexpected. See dogwalk list --help.")
    #expect(
      message("dogs", "rename", "a", "b", "c")
        == "dogs rename takes OLD NEW: \"c\" is unexpected. See dogwalk dogs rename --help.")
    #expect(
      message("dogs", "rename", "a", "to", "b")
        == "dogs rename takes OLD NEW: \"b\" is unexpected. Leave \"to\" out.")
    #expect(
      message("dogs", "rename", "a")
        == "dogs rename needs a NEW, its new name. See dogwalk dogs rename --help.")
    #expect(
      message("delete")
        == "delete needs an ID, the number of a walk. See dogwalk delete --help.")
    #expect(
      message("add", "--dog") == "--dog needs a value: nothing follows it. Write --dog NAME.")
    #expect(
      message("add", "--dog", "--note")
        == "--dog needs a value: --note looks like an option. "
        + "Write --dog NAME, or --dog=--note if that is the value.")
    #expect(message("add", "--new=yes") == "--new takes no value. Write --new alone.")
    #expect(message("add", "--note", "a", "-n", "b") == "--note is given twice. Give it once.")
    #expect(
      message("list", "--color", "blue")
        == "--color cannot be \"blue\". Write auto, always or never.")
    #expect(message("\u{1B}[31m") == "unknown command \\x1b[31m. See dogwalk --help.")
  }

  @Test(arguments: [
    "add --no x", "add --dog= --note", "add --do x", "list --store", "add --dog --",
  ])
  func `has no abbreviations and no missing values`(line: String) {
    #expect(throws: ValidationError.self) { try values(line) }
  }

  @Test(arguments: ["list --json --json", "list -q -q", "delete 3 -yy", "list -q --quiet"])
  func `refuses a flag that is given twice`(line: String) {
    #expect(throws: ValidationError.self) { try values(line) }
  }

  @Test func `suggests quotes where an extra word may continue the previous value`() {
    let expected =
      "list takes options only: \"hours\" is unexpected. "
      + "If it belongs to --store, write --store \"8 hours ago\"."
    #expect(message("list", "--store", "8", "hours", "ago") == expected)
    #expect(message("list", "--store=8", "hours", "ago", "--json") == expected)
    #expect(
      message("list", "hours") == "list takes options only: \"hours\" is unexpected. "
        + "See dogwalk list --help.")
  }

  @Test func `does not suggest joining words across an option, a fixed choice or quotes`() {
    let complaint = "list takes options only: \"hours\" is unexpected. "
    #expect(
      message("list", "--store", "8", "hours", "--json", "ago")
        == complaint + "If it belongs to --store, write --store \"8 hours\".")
    for words in [["--color", "auto"], ["--color=auto"], ["--store", "my walks"]] {
      #expect(message(["list"] + words + ["hours"]) == complaint + "See dogwalk list --help.")
    }
  }

  @Test func `suggests the removing option for a word with a minus sign`() {
    let tag = CommandSpecification(
      abstract: "Give walks tags.",
      arguments: [Argument("WORDS", help: "walks and tags", isRepeating: true)],
      options: [
        .flag("quiet", short: "q", help: "say nothing"),
        Option("untag", value: .required("TAG"), isRepeating: true, help: "remove a tag"),
      ])
    let program = CommandSpecification(
      name: "dogwalk", abstract: "Keep a log of walks.", subcommands: [.init("tag", tag)])
    for (word, hint) in [
      ("-park", "Did you mean --untag park?"), ("−park", "Did you mean --untag park?"),
      ("-x", "See dogwalk tag --help."),
    ] {
      #expect(throws: ValidationError("unknown option \(word)", hint: hint)) {
        try Invocation(words: ["tag", "1", word], commands: program)
      }
    }
  }

  @Test func `does not look for subcommands after an operand`() throws {
    let merge = CommandSpecification(
      abstract: "Make one dog of several.",
      arguments: [Argument("NAME", help: "the dogs", isRepeating: true)])
    let program = CommandSpecification(
      name: "dogwalk", abstract: "Keep a log of walks.",
      subcommands: [
        .init(
          "dogs",
          CommandSpecification(
            abstract: "Show the dogs.",
            arguments: [Argument("NAME", help: "a dog", isRequired: false, isRepeating: true)],
            options: [.flag("json", help: "print JSON")], subcommands: [.init("merge", merge)]))
      ])
    for (words, names, operands) in [
      (["dogs", "merge", "Fido"], ["dogs", "merge"], ["Fido"]),
      (["dogs", "Fido", "merge"], ["dogs"], ["Fido", "merge"]),
      (["dogs", "Fido", "--json", "merge"], ["dogs"], ["Fido", "merge"]),
      (["dogs", "--", "merge"], ["dogs"], ["merge"]),
    ] {
      guard case .run(let path, let values) = try Invocation(words: words, commands: program) else {
        Issue.record("no command: \(words)")
        continue
      }
      #expect(path.names == names && values.operands == operands)
    }
  }

  @Test func `takes --version with a value as an option of the command`() throws {
    let version = Option("version", value: .required("NAME"), help: "of the model")
    let table = CommandSpecification(
      name: "tool", abstract: "A tool.", options: [.version],
      subcommands: [
        .init("make", CommandSpecification(abstract: "Make.", options: [version]))
      ])
    let words = ["make", "--version", "2"]
    guard case .run(_, let values) = try Invocation(words: words, commands: table) else {
      Issue.record("not a run")
      return
    }
    #expect(values[version] == "2")
    #expect(try Invocation(words: ["--version"], commands: table) == .version)
  }
}

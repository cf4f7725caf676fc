import CommandLineKit

extension Command {
  /// The program and all of its commands, in the order in which help lists them.
  static let dogwalk = Command(
    specification,
    subcommands: [
      .init("add", .add), .init("list", .list), .init("show", .show), .init("edit", .edit),
      .init("tag", .tag), .init("delete", .delete),
      .init("start", .start), .init("stop", .stop),
      .init("continue", .continuing), .init("dogs", .dogs), .init("walkers", .walkers),
      .init("report", .report), .init("undo", .undo), .init("redo", .redo),
      .init("history", .history), .init("export", .export), .init("import", .importing),
      .init("sync", .sync),
      .init("config", .config), .init("watch", .watch), .init("doctor", .doctor),
      .init("completions", .completions),
      .init("help", .help),
    ])

  /// The program's name, and what applies to all of its commands.
  private static let specification: CommandSpecification = {
    var specification = CommandSpecification(
      name: "dogwalk",
      abstract: "A walk log at the prompt: which dog was out when, for how long, and with whom.",
      examples: [
        .init("dogwalk add Fido 35m", "a walk of 35 minutes that ended just now"),
        .init("dogwalk add Fido yesterday 18:00", "a walk that began then"),
        .init("dogwalk list --today", "today's walks"),
        .init("dogwalk", "how every dog is doing"),
      ],
      sharedOptions: Option.global,
      surplusHint: "To add a walk: dogwalk add Fido 35m. See dogwalk --help.",
      discussion: [
        "The walks are in $DOGWALK_STORE, else in the store of dogwalk config store, else in "
          + "$XDG_DATA_HOME/dogwalk/DogWalk.sqlite, else in "
          + "~/.local/share/dogwalk/DogWalk.sqlite. $DOGWALK_NOW, in ISO 8601, is used as "
          + "the current time.",
        "Every command explains itself: dogwalk add --help.",
      ],
      defaultSubcommand: "dogs")
    specification.variables = [
      .init("DOGWALK_STORE", "the store, a file or a server's URL, unless --store names one"),
      .init("DOGWALK_DOG", "the dog to use if none is named"),
      .init("DOGWALK_BY", "who walks, and gives commands, if nobody is named"),
      .init("DOGWALK_CLOCK", "how clocks are shown: 12 or 24"),
      .init("DOGWALK_UNITS", "the unit of distances: km or mi"),
      .init("DOGWALK_WEEK_START", "the day a week starts on: mon or sun"),
      .init("DOGWALK_NOW", "the current time, in ISO 8601: for tests and examples"),
      .init("NO_COLOR", "if it is set, nothing is coloured"),
      .init("TERM", "dumb: nothing is coloured, drawn or paged, as for a screen reader"),
      .init("COLUMNS", "the width of the output if it is not a terminal"),
      .init("PAGER", "the program for output longer than the screen; less if it is not set"),
      .init("LC_ALL, LC_TIME, LANG", "how a terminal shows clocks, if nothing else sets it"),
      .init("TZ", "the local time zone"),
      .init("XDG_DATA_HOME, HOME", "the folder of the store, if nothing names it"),
      .init("XDG_CONFIG_HOME, HOME", "the folder of the settings"),
    ]
    specification.files = [
      .init(
        "~/.local/share/dogwalk/DogWalk.sqlite",
        "the store, all of it in one file while no command runs; on macOS below "
          + "~/Library/Application Support"),
      .init("DogWalk.sqlite-wal, DogWalk.sqlite-shm", "beside it while commands run"),
      .init(
        "~/.config/dogwalk/config",
        "the settings of dogwalk config, a line each; the environment and options take precedence"),
    ]
    return specification
  }()

  /// `dogwalk help`, which is handled while the words are parsed.
  static let help = Command(
    CommandSpecification(
      abstract: "Show help.",
      examples: [
        .init("dogwalk help", "the commands"),
        .init("dogwalk help dogs use", "how to use one of them"),
        .init("dogwalk help --man", "all of it as a manual page, for man"),
      ],
      arguments: [
        Argument(
          "COMMAND", help: "the command to explain", isRequired: false, isRepeating: true,
          completion: .commands)
      ],
      options: [.manual]))
}

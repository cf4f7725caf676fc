import CommandLineKit

extension Command {
  /// The program and all of its commands, in the order of help.
  static let dogwalk = Command(
    CommandSpecification(
      name: "dogwalk",
      abstract: "A walk log at the prompt: which dog was out when, for how long, and with whom.",
      examples: [
        .init("dogwalk add Fido 35m", "a walk of 35 minutes that ended just now"),
        .init("dogwalk add Fido yesterday 18:00", "a walk that began then"),
        .init("dogwalk list --today", "today's walks"),
        .init("dogwalk", "how every dog stands"),
      ],
      sharedOptions: Option.global,
      surplusHint: "A walk is written down with dogwalk add Fido 35m; see dogwalk --help.",
      discussion: [
        "The walks are in $DOGWALK_STORE, else in $XDG_DATA_HOME/dogwalk/DogWalk.sqlite, else in "
          + "~/.local/share/dogwalk/DogWalk.sqlite. $DOGWALK_NOW, in ISO 8601, is taken for the "
          + "time it is.",
        "Every command explains itself: dogwalk add --help.",
      ],
      defaultSubcommand: "dogs"),
    subcommands: [
      .init("add", .add), .init("list", .list), .init("edit", .edit), .init("delete", .delete),
      .init("start", .start), .init("stop", .stop), .init("dogs", .dogs),
      .init("walkers", .walkers),
      .init("report", .report), .init("undo", .undo), .init("redo", .redo),
      .init("history", .history), .init("export", .export), .init("import", .importing),
      .init("config", .config), .init("watch", .watch), .init("doctor", .doctor),
      .init("completions", .completions),
      .init("help", .help),
    ])

  /// `dogwalk help`, which is answered when the words are read.
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

import CommandLineKit

extension Command {
  /// What people type for a command, who know other programs.
  static let synonyms: [CommandSpecification.Synonyms] = [
    .init("list", ["ls", "log", "show", "today", "yesterday", "week", "walks"]),
    .init("delete", ["rm", "del", "remove"]),
    .init("add", ["new", "create", "track", "walk"]),
    .init("dogs", ["status", "dog"]),
    .init("report", ["summary", "stats", "total", "totals"]),
    .init("start", ["begin"]),
    .init("continue", ["restart", "resume"]),
    .init("stop", ["end", "finish"]),
    .init("edit", ["change", "modify", "amend", "fix"]),
    .init("undo", ["cancel", "revert", "back"]),
    .init("redo", ["again", "restore"]),
  ]
}

import CommandLineKit

extension Command {
  /// Words from other programs that people type for commands.
  static let synonyms: [CommandSpecification.Synonyms] = [
    .init("list", ["ls", "log", "walks", "last"]),
    .init("list today", ["today"]),
    .init("list yesterday", ["yesterday"]),
    .init("list --week", ["week"]),
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

/// The options that have the same meaning in every program.
extension Option {
  /// `-h`, `--help`: show help and do nothing else.
  package static let help = flag("help", short: "h", help: "show this help")
  /// `--version`: show the version and do nothing else.
  package static let version = flag("version", help: "show the version")
  /// `-q`, `--quiet`: omit the line that confirms what was done.
  package static let quiet = flag("quiet", short: "q", help: "do not print what was done")
  /// `--color`: when to use colour.
  package static let color = Option(
    "color", value: .required("WHEN"), help: "auto, always or never",
    completion: .choices(["auto", "always", "never"]))
  /// `--man`: print the manual page.
  package static let manual = flag("man", help: "print the manual page, in roff")
  /// `--json`: print JSON for programs.
  package static let json = flag("json", help: "print JSON, for programs")
}

/// The options that every command takes, and `--json`, which those take that print walks or dogs.
extension Option {
  /// `-h`, `--help`: show help instead of doing anything.
  static let help = flag("help", short: "h", help: "show this help")
  /// `--version`: show the version instead of doing anything.
  static let version = flag("version", help: "show the version")
  /// `-q`, `--quiet`: leave out the line that says what was done.
  static let quiet = flag("quiet", short: "q", help: "do not say what was done")
  /// `--color`: when to use colour.
  static let color = Option(
    "color", value: .required("WHEN"), help: "auto, always or never",
    completion: .choices(["auto", "always", "never"]))
  /// `--store`: the file that holds the walks.
  static let store = Option(
    "store", value: .required("PATH"), help: "use this store file instead of the usual one",
    completion: .files)
  /// `--json`: print JSON for programs; not one of `global`.
  static let json = flag("json", help: "print JSON, for programs")

  /// Help's last section, in its order.
  static let global: [Option] = [store, color, quiet, version, help]
}

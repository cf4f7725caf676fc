import CommandLineKit

/// The options that every command takes.
extension Option {
  /// `--store`: the file that holds the walks.
  static let store = Option(
    "store", value: .required("PATH"), help: "use this store file instead of the usual one",
    completion: .files)

  /// Help's last section, in its order.
  static let global: [Option] = [store, color, quiet, version, help]
}

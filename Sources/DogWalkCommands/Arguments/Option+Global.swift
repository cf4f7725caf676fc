import CommandLineKit

/// The options that every command takes.
extension Option {
  /// `--store`: the location of the store.
  static let store = Option(
    "store", value: .required("PATH"), help: "use this store instead of the default one",
    completion: .files)

  /// In the order of help's last section.
  static let global: [Option] = [store, color, quiet, version, help]
}

/// Files of one folder that are watched for changes.
package struct WatchedFiles: Hashable, Sendable {
  /// The folder, which need not exist yet.
  package let folder: String
  /// The names of the files, which need not exist; nil for all names that do not begin with a dot.
  package let names: Set<String>?
  /// The files on which this process may hold POSIX locks (`fcntl`), which closing any descriptor
  /// of the file would release.
  package let lockedNames: Set<String>

  /// Creates the description of some files.
  package init(in folder: String, names: Set<String>?, lockedNames: Set<String> = []) {
    (self.folder, self.names, self.lockedNames) = (folder, names, lockedNames)
  }

  /// Whether a name in the folder belongs to the watched files.
  package func contains(_ name: String) -> Bool {
    names?.contains(name) ?? !name.hasPrefix(".")
  }
}

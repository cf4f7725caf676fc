/// Files of one folder whose changes matter to somebody.
package struct WatchedFiles: Hashable, Sendable {
  /// Where they are; it need not be there yet.
  package let folder: String
  /// What they are called, be they there or not; nil for all whose names do not begin with a dot.
  package let names: Set<String>?
  /// Those on which this process may hold locks of its own, which closing any descriptor of the
  /// file would take away (`fcntl`).
  package let lockedNames: Set<String>

  /// Names files.
  package init(in folder: String, names: Set<String>?, lockedNames: Set<String> = []) {
    (self.folder, self.names, self.lockedNames) = (folder, names, lockedNames)
  }

  /// Whether a file of the folder is among them.
  package func contains(_ name: String) -> Bool {
    names?.contains(name) ?? !name.hasPrefix(".")
  }
}

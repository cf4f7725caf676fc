/// The external files that one save writes and drops.
///
/// A file is on the disk before the row that names it is written, and removed after the commit that
/// drops the row's value (`DroppedFiles`); so an interrupted save may leave a file too many, but
/// never one too few.
final class ExternalDataChanges {
  private let files: ExternalDataFiles
  private var written: [String] = []
  /// The names of the files whose values this save removes; valid once it is committed.
  private(set) var dropped: [String] = []

  init(in files: ExternalDataFiles) { self.files = files }

  /// The bytes to store in the column of a value; a large value is written to a file first.
  func stored(_ value: UnsafeRawBufferPointer) throws -> [UInt8] {
    guard value.count >= ExternalDataFiles.threshold else { return [1] + value }
    let name = try files.write(value)
    written.append(name)
    return [2] + name.utf8 + [0]
  }

  /// Records the file that a column refers to, if any: this save removes its value.
  func drop(_ stored: UnsafeRawBufferPointer) {
    if let name = ExternalDataFiles.fileName(in: stored) { dropped.append(name) }
  }

  /// Removes the written files after a failed save: no row refers to them.
  func undo() { for name in written { files.remove(name) } }
}

@available(*, unavailable) extension ExternalDataChanges: Sendable {}

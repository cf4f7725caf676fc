/// The files that one save writes and drops.
///
/// A file is on the disk before the row that names it, and goes after the commit that drops the
/// row's value (`DroppedFiles`); so a save that is cut off leaves a file too many at worst, never
/// one too few.
final class ExternalDataChanges {
  private let files: ExternalDataFiles
  private var written: [String] = []
  /// The names of the files whose values go with the save; they count once it is committed.
  private(set) var dropped: [String] = []

  init(in files: ExternalDataFiles) { self.files = files }

  /// What the column of a value holds; a large value is written into a file for that.
  func stored(_ value: UnsafeRawBufferPointer) throws -> [UInt8] {
    guard value.count >= ExternalDataFiles.threshold else { return [1] + value }
    let name = try files.write(value)
    written.append(name)
    return [2] + name.utf8 + [0]
  }

  /// Notes the file that a column leads to, if any: its value goes with this save.
  func drop(_ stored: UnsafeRawBufferPointer) {
    if let name = ExternalDataFiles.fileName(in: stored) { dropped.append(name) }
  }

  /// The save failed: nobody names the written files.
  func undo() { for name in written { files.remove(name) } }
}

@available(*, unavailable) extension ExternalDataChanges: Sendable {}

import Foundation

/// A folder that is there as long as the value that stands for it.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory
    .appending(path: "ModelCompilerTests-\(UUID().uuidString)", directoryHint: .isDirectory)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file, and the folders above it.
  @discardableResult
  func write(_ content: some DataProtocol, to path: String) throws -> URL {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content).write(to: file)
    return file
  }
}

package import Foundation

/// A folder that exists as long as the value that represents it.
package final class TemporaryFolder {
  /// Where it is.
  package let url: URL

  /// Makes an empty one.
  package init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "dogwalk-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file, and creates the folders above it.
  @discardableResult
  package func write(_ content: some DataProtocol, to path: String) throws -> URL {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content).write(to: file)
    return file
  }
}

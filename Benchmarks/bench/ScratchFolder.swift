import SystemLibraries

/// A folder to measure in, which goes when this value goes.
///
/// It is in memory where the system offers that (`/dev/shm`), so that the measurements are of the
/// code and not of a disk.
final class ScratchFolder {
  let url: URL

  init() throws {
    let memory = "/dev/shm"
    let place =
      FileManager.default.isWritableFile(atPath: memory)
      ? URL(filePath: memory) : FileManager.default.temporaryDirectory
    url = place.appending(path: "dogwalk-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // One that stays is untidy, no more.
    try? FileManager.default.removeItem(at: url)
  }
}

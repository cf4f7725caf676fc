import SystemLibraries

/// A temporary folder, which is removed when this object is released.
///
/// It is in memory if the system supports that (`/dev/shm`), so that the code is measured rather
/// than a disk.
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
    // A folder that cannot be removed does no harm.
    try? FileManager.default.removeItem(at: url)
  }
}

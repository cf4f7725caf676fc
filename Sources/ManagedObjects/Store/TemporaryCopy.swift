#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A copy of a file and of those that belong to it, in a folder of its own for temporary files.
struct TemporaryCopy {
  private let folder: String
  private let suffixes: [String]
  /// Where the copy of the file itself is.
  var path: String { folder + "/copy" }

  /// Copies the files whose names are a path with each suffix, as far as they exist.
  ///
  /// - Throws: `PersistentStoreError`; nothing is left then.
  init(of path: String, suffixes: [String]) throws {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(place)/managed-objects-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw PersistentStoreError(errno: errno, at: URL(filePath: place))
    }
    folder = String(cString: made)
    self.suffixes = suffixes
    do {
      for suffix in suffixes { try Self.copy(path + suffix, to: self.path + suffix) }
    } catch {
      remove()
      throw error
    }
  }

  /// Removes the copy; whoever has it open keeps what it is reading.
  func remove() {
    for suffix in suffixes + ["-shm"] { unlink(path + suffix) }
    rmdir(folder)
  }

  private static func copy(_ source: String, to destination: String) throws {
    let from = open(source, O_RDONLY | O_CLOEXEC)
    guard from >= 0 else {
      if errno == ENOENT { return }
      throw PersistentStoreError(errno: errno, at: URL(filePath: source))
    }
    defer { close(from) }
    let to = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard to >= 0 else { throw PersistentStoreError(errno: errno, at: URL(filePath: destination)) }
    defer { close(to) }
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = read(from, buffer.baseAddress, buffer.count)
        guard count >= 0 else {
          throw PersistentStoreError(errno: errno, at: URL(filePath: source))
        }
        if count == 0 { return }
        var written = 0
        while written < count {
          let more = write(to, buffer.baseAddress! + written, count - written)
          guard more >= 0 else {
            throw PersistentStoreError(errno: errno, at: URL(filePath: destination))
          }
          written += more
        }
      }
    }
  }
}

import ManagedObjects
package import SystemLibraries

/// The turn of one sync among all on this machine that are about stores in the same folders.
///
///     let turn = SyncTurn(inFoldersOf: [url, otherURL])
///     defer { turn.end() }
///     // … open both stores and sync them
///
/// A sync holds one store while it waits for another one, so two of them, one each way, would wait
/// for each other. Each takes the folders of its stores first, in the order of their numbers on the
/// disk (`flock`), which is the same for all: whatever paths lead there, be the stores there or
/// not, and though a sync replaces their files. The system lets them go when the process ends.
///
/// It is a courtesy: where a folder cannot be locked, or somebody has it for too long, the sync
/// goes on without, and the stores' own locks decide. Stores on servers are taken in an order of
/// their own, after all files (`StoreSync`).
package final class SyncTurn {
  private var descriptors: [Int32] = []

  /// Waits for the turn, at most as long as for another program to write.
  ///
  /// - Parameters:
  ///   - stores: where the stores are; those on servers have no folder.
  ///   - seconds: how long to wait for all of them.
  package init(inFoldersOf stores: [URL], waiting seconds: Double = 20) {
    let folders = Self.folders(of: stores)
    descriptors = folders.map(\.descriptor)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    for folder in folders {
      while flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 {
        guard [EWOULDBLOCK, EINTR].contains(errno), clock.now < end else { break }
        // Whoever else waits is to come at another moment.
        usleep(.random(in: 1_000...10_000))
      }
    }
  }

  deinit { end() }

  /// Lets the next one come.
  package func end() {
    for descriptor in descriptors { close(descriptor) }
    descriptors = []
  }

  private typealias Folder = (device: dev_t, inode: ino_t, descriptor: Int32)

  /// The folders of some stores, each once, in the order in which all take them.
  private static func folders(of stores: [URL]) -> [Folder] {
    var folders: [Folder] = []
    for url in stores where !url.isPostgreSQL {
      guard let path = WalkLog.filePaths(ofStoreAt: url).first else { continue }
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      var info = stat()
      guard fstat(descriptor, &info) == 0,
        !folders.contains(where: { ($0.device, $0.inode) == (info.st_dev, info.st_ino) })
      else {
        close(descriptor)
        continue
      }
      folders.append((info.st_dev, info.st_ino, descriptor))
    }
    return folders.sorted { ($0.device, $0.inode) < ($1.device, $1.inode) }
  }
}

@available(*, unavailable) extension SyncTurn: Sendable {}

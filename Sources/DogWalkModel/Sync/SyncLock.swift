import ManagedObjects
package import SystemLibraries

/// A lock that serializes the syncs on this machine whose stores are in the same folders.
///
///     let turn = SyncLock(inFoldersOf: [url, otherURL])
///     defer { turn.end() }
///     // … open both stores and sync them
///
/// A sync holds one store while it waits for another one, so two syncs in opposite directions would
/// deadlock. Each therefore first locks the folders of its stores (`flock`), in the order of their
/// device and inode numbers, which is the same for all processes, whatever paths lead to the
/// folders, whether the stores exist or not, and although a sync replaces their files. The system
/// releases the locks when the process ends.
///
/// The lock is advisory: if a folder cannot be locked, or another process holds it for too long,
/// the sync continues without it, and the stores' own locks decide. Stores on servers are locked in
/// an order of their own, after all files (`StoreSync`).
package final class SyncLock {
  private var descriptors: [Int32] = []

  /// Waits for the locks, at most as long as a store waits for another writer.
  ///
  /// - Parameters:
  ///   - stores: the locations of the stores; those on servers have no folder.
  ///   - seconds: the total time to wait.
  package init(inFoldersOf stores: [URL], waiting seconds: Double = 20) {
    let folders = Self.folders(of: stores)
    descriptors = folders.map(\.descriptor)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    for folder in folders {
      while flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 {
        guard [EWOULDBLOCK, EINTR].contains(errno), clock.now < end else { break }
        // The random delay keeps waiting processes from retrying in step.
        usleep(.random(in: 1_000...10_000))
      }
    }
  }

  deinit { end() }

  /// Releases the locks.
  package func end() {
    for descriptor in descriptors { close(descriptor) }
    descriptors = []
  }

  private typealias Folder = (device: dev_t, inode: ino_t, descriptor: Int32)

  /// Returns the distinct folders of some stores, in the locking order.
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

@available(*, unavailable) extension SyncLock: Sendable {}

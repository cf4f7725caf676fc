import Foundation
import SystemLibraries
import Testing

/// The system's events about files.
@Suite struct FileEventsTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  /// Opens a file and overwrites its beginning; returns it open.
  @discardableResult
  private func fileHandle(of name: String, writing text: String) throws -> FileHandle {
    let handle = try FileHandle(forWritingTo: folder.url.appending(path: name))
    try handle.write(contentsOf: Data(text.utf8))
    return handle
  }

  private func files(_ names: Set<String>? = ["a", "b"]) -> WatchedFiles {
    WatchedFiles(in: folder.url.path, names: names)
  }

  /// Whether something relevant has happened, and nothing more from then on.
  private func hasChanged(_ events: FileEvents) -> Bool {
    var state = pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0)
    // Past events are there at once.
    guard poll(&state, 1, 0) > 0 else { return false }
    let hasChanged = events.take()
    return hasChanged && poll(&state, 1, 0) == 0 && !events.take()
  }

  @Test func `written, created, replaced and deleted files are reported, and no others`()
    throws
  {
    try write("1", to: "a")
    let events = try #require(FileEvents(of: files()))
    #expect(!hasChanged(events))
    try write("1", to: "other")
    #expect(!hasChanged(events))
    let handle = try fileHandle(of: "a", writing: "2")
    #expect(hasChanged(events))
    #expect(rename(folder.url.path + "/other", folder.url.path + "/a") == 0)
    #expect(hasChanged(events))
    // The file that was there before is not relevant any more.
    try handle.write(contentsOf: Data("3".utf8))
    #expect(!hasChanged(events))
    let new = try fileHandle(of: "a", writing: "4")
    #expect(hasChanged(events))
    try new.truncate(atOffset: 0)
    #expect(hasChanged(events))
    try write("1", to: "b")
    #expect(hasChanged(events))
    try fileHandle(of: "b", writing: "2")
    #expect(hasChanged(events))
    unlink(folder.url.path + "/b")
    #expect(hasChanged(events))
    #expect(!events.isLost)
  }

  @Test func `all files of a folder are reported except hidden ones`() throws {
    try write("1", to: "a")
    let events = try #require(FileEvents(of: files(nil)))
    try write("1", to: ".hidden")
    #expect(!hasChanged(events))
    try fileHandle(of: "a", writing: "2")
    #expect(hasChanged(events))
    #expect(rename(folder.url.path + "/.hidden", folder.url.path + "/seen") == 0)
    #expect(hasChanged(events))
  }

  @Test func `a folder that is created or deleted later is followed`() throws {
    let place = folder.url.path + "/one/two"
    let events = try #require(FileEvents(of: WatchedFiles(in: place, names: ["a"])))
    try write("1", to: "other")
    #expect(!hasChanged(events))
    #expect(mkdir(folder.url.path + "/one", 0o700) == 0)
    #expect(hasChanged(events))
    #expect(mkdir(place, 0o700) == 0)
    #expect(hasChanged(events))
    try write("1", to: "one/two/a")
    #expect(hasChanged(events))
    #expect(rename(place, folder.url.path + "/one/three") == 0)
    #expect(hasChanged(events))
    try write("2", to: "one/three/a")
    #expect(!hasChanged(events))
    #expect(mkdir(place, 0o700) == 0)
    #expect(hasChanged(events))
    try write("3", to: "one/two/a")
    #expect(hasChanged(events))
    #expect(!events.isLost)
  }

  @Test func `a queue overflow counts as a relevant event`() throws {
    let events = try #require(FileEvents(of: files()))
    let limit = try #require(
      Int(
        String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)))
    // Other files fill the queue.
    for number in 0...limit / 2 {
      let path = folder.url.path + "/other\(number % 2)"
      close(open(path, O_CREAT | O_WRONLY, 0o600))
      unlink(path)
    }
    try write("1", to: "a")
    #expect(hasChanged(events))
    try fileHandle(of: "a", writing: "2")
    #expect(hasChanged(events))
  }

  @Test func `folders of other machines, and missing ones, are not watched`() {
    for folder in ["/proc/self", "/sys/kernel"] {
      #expect(!NetworkFolder.reportsAllChanges(in: folder))
      #expect(FileEvents(of: WatchedFiles(in: folder, names: ["a"])) == nil)
    }
    #expect(NetworkFolder.reportsAllChanges(in: folder.url.path))
    for kind in ["nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse.sshfs", "vboxsf", "lustre"]
    {
      #expect(!NetworkFolder.isLocal(kind))
    }
    for kind in ["ext4", "xfs", "btrfs", "tmpfs", "overlay"] {
      #expect(NetworkFolder.isLocal(kind))
    }
  }

  @Test func `the type of a folder is that of the last mount above it`() {
    let mounts = """
      22 1 8:1 / / rw - ext4 /dev/sda1 rw
      30 22 0:31 / /home rw shared:1 - btrfs /dev/sdb rw
      31 30 0:40 / /home/ana/my\\040disk rw - nfs4 server:/a rw
      32 30 0:41 / /srv rw - xfs /dev/sdc rw
      33 32 0:42 / /srv rw - cifs //server/b rw
      """
    for (path, kind) in [
      "/var/lib": "ext4", "/home": "btrfs", "/homes": "ext4", "/home/ana": "btrfs",
      "/home/ana/my disk/walks": "nfs4", "/srv/walks": "cifs", "/": "ext4",
    ] {
      #expect(NetworkFolder.kind(ofPath: path, in: mounts) == kind, "\(path)")
    }
  }
}

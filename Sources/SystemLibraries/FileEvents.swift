/// File events for some files of a folder, from inotify on Linux and kqueue on Apple's systems,
/// where it has never been tested.
///
///     guard let events = FileEvents(of: files) else { return lookNowAndThen() }
///     var state = pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0)
///     poll(&state, 1, -1)
///     if events.take() { look() }
///
/// Reports files that are written, created, replaced or deleted by any program, but not writes
/// through mapped memory. Without events it costs nothing. If the folder does not exist or is
/// deleted, it waits for the folder to appear. Not Sendable: its users must not call it
/// concurrently.
package final class FileEvents {
  /// The file descriptor that becomes readable when an event arrives.
  package let descriptor: Int32
  private let files: WatchedFiles
  /// Whether the system no longer reports events, so that the files must be polled.
  package private(set) var isLost = false
  /// The watched folder on the path to the files, and the next component of the path if that does
  /// not exist.
  private var folder: (watch: Int32, awaited: String?)?
  /// The watched files' names by watch descriptor.
  private var fileWatches: [Int32: String] = [:]

  /// Begins to watch; nil if the system does not report all changes, as in network folders, or
  /// cannot add a watch.
  package init?(of files: WatchedFiles) {
    self.files = files
    descriptor = Self.makeQueue()
    guard descriptor >= 0 else { return nil }
    arm()
    if isLost { return nil }
  }

  deinit {
    disarm()
    if descriptor >= 0 { close(descriptor) }
  }

  // MARK: Arming

  /// Watches the folder and the files in their current state; if the folder does not exist, watches
  /// its nearest existing ancestor.
  private func arm() {
    disarm()
    var path = files.folder
    var awaited: String?
    while folder == nil {
      let watch = NetworkFolder.reportsAllChanges(in: path) ? watchFolder(path, awaited) : -1
      if watch >= 0 {
        // It may have been created in the meantime.
        if let awaited, access(path + "/" + awaited, F_OK) == 0 {
          removeWatch(watch)
          path += "/" + awaited
          continue
        }
        folder = (watch, awaited)
      } else {
        // Checked again, since `errno` may have changed.
        guard access(path, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno),
          let slash = path.lastIndex(of: "/"), path != "/"
        else {
          isLost = true
          return
        }
        awaited = String(path[path.index(after: slash)...])
        path = slash == path.startIndex ? "/" : String(path[..<slash])
      }
    }
    if awaited == nil { for name in files.names ?? [] { watchFile(name) } }
  }

  private func disarm() {
    if let folder { removeWatch(folder.watch) }
    for watch in fileWatches.keys { removeWatch(watch) }
    folder = nil
    fileWatches = [:]
  }
}

#if canImport(Darwin)
  extension FileEvents {
    private static func makeQueue() -> Int32 { kqueue() }

    /// Opens a file to watch: with kqueue, a watch is a descriptor.
    private func watch(_ path: String, _ notes: Int32) -> Int32 {
      let watch = open(path, O_EVTONLY | O_CLOEXEC)
      guard watch >= 0 else { return -1 }
      var event = kevent(
        ident: UInt(watch), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(notes), data: 0, udata: nil)
      guard kevent(descriptor, &event, 1, nil, 0, nil) == 0 else {
        close(watch)
        return -1
      }
      return watch
    }

    private func watchFolder(_ path: String, _ awaited: String?) -> Int32 {
      watch(path, NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)
    }

    private func watchFile(_ name: String) {
      if let (old, _) = fileWatches.first(where: { $0.value == name }) {
        removeWatch(old)
        fileWatches[old] = nil
      }
      guard !files.lockedNames.contains(name) else { return }
      let watch = watch(files.folder + "/" + name, NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE)
      if watch >= 0 { fileWatches[watch] = name }
    }

    private func removeWatch(_ watch: Int32) { close(watch) }

    /// Receives the pending events; returns whether any of them is relevant.
    package func take() -> Bool {
      var isChange = false
      var isOfFolder = false
      var event = kevent()
      var now = timespec()
      while kevent(descriptor, nil, 0, &event, 1, &now) == 1 {
        isChange = true
        isOfFolder = isOfFolder || Int32(event.ident) == folder?.watch
      }
      // Events of a folder do not say what changed: any file may have been replaced.
      if isOfFolder { arm() }
      return isChange
    }
  }
#else
  extension FileEvents {
    private static func makeQueue() -> Int32 {
      inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    }

    private static let comings = UInt32(IN_CREATE | IN_MOVED_TO)
    private static let goings = UInt32(IN_DELETE | IN_MOVED_FROM)
    private static let ends = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)

    private func watchFolder(_ path: String, _ awaited: String?) -> Int32 {
      var mask = Self.comings | Self.goings | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
      // If all files of the folder are watched, its own watch reports their changes.
      if files.names == nil, awaited == nil { mask |= UInt32(IN_MODIFY) }
      return inotify_add_watch(descriptor, path, mask)
    }

    private func watchFile(_ name: String) {
      if let (old, _) = fileWatches.first(where: { $0.value == name }) {
        removeWatch(old)
        fileWatches[old] = nil
      }
      let watch = inotify_add_watch(descriptor, files.folder + "/" + name, UInt32(IN_MODIFY))
      if watch >= 0 {
        fileWatches[watch] = name
      } else if ![ENOENT, ENOTDIR].contains(errno) {
        isLost = true
      }
    }

    private func removeWatch(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Receives the pending events; returns whether any of them is relevant.
    package func take() -> Bool {
      var isChange = false
      var isOtherFolder: Bool
      repeat {
        isOtherFolder = false
        takeAll(&isChange, &isOtherFolder)
        // Removing watches causes events too.
        if isOtherFolder { arm() }
      } while isOtherFolder && !isLost
      return isChange
    }

    private func takeAll(_ isChange: inout Bool, _ isOtherFolder: inout Bool) {
      // Room for at least one event with the longest name.
      withUnsafeTemporaryAllocation(byteCount: 1 << 13, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          guard count > 0 else { return }
          var offset = 0
          while offset < count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            offset += MemoryLayout<inotify_event>.size
            let name = buffer[offset..<offset + Int(event.len)].prefix { $0 != 0 }
            offset += Int(event.len)
            take(event, String(decoding: name, as: UTF8.self), &isChange, &isOtherFolder)
          }
        }
      }
    }

    private func take(
      _ event: inotify_event, _ name: String, _ isChange: inout Bool, _ isOtherFolder: inout Bool
    ) {
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        // Changes in the meantime caused no events.
        (isChange, isOtherFolder) = (true, true)
      } else if event.wd == folder?.watch {
        if event.mask & Self.ends != 0 || name == folder?.awaited {
          (isChange, isOtherFolder) = (true, true)
        } else if folder?.awaited == nil, files.contains(name) {
          isChange = true
          if event.mask & Self.comings != 0, files.names != nil { watchFile(name) }
        }
      } else if fileWatches[event.wd] != nil {
        if event.mask & UInt32(IN_IGNORED) != 0 {
          fileWatches[event.wd] = nil
        } else {
          isChange = true
        }
      }
    }
  }
#endif

@available(*, unavailable) extension FileEvents: Sendable {}

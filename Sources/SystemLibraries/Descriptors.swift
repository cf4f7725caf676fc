/// Writes all bytes to a file descriptor, however many calls of `write(2)` that takes.
///
/// - Returns: nil, or the error number; what was written before stays written.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
  var rest = bytes
  while !rest.isEmpty {
    let written = write(descriptor, rest.baseAddress, rest.count)
    if written >= 0 {
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    } else if errno == EAGAIN {
      // Another process has made the terminal or pipe non-blocking: waits until it is writable.
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&state, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}

/// Reads bytes from a file descriptor with `read(2)`, again if a signal interrupts it.
///
/// - Returns: how many bytes were read; 0 at the end; negative for an error, with `errno` set.
package func readSome(from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 || errno != EINTR { return count }
  }
}

/// Syncs the names in a folder to the disk, if the system and the file system support that.
///
/// - Parameter descriptor: the open folder; negative for one that cannot be opened, and that
///   therefore cannot be synced.
/// - Returns: nil, or the error number.
package func syncFolder(_ descriptor: Int32) -> Int32? {
  guard descriptor >= 0, fsync(descriptor) != 0 else { return nil }
  return [EINVAL, EBADF, ENOTSUP, EROFS].contains(errno) ? nil : errno
}

/// Syncs the names in the folder with a path: see `syncFolder(_:)`.
package func syncFolder(at path: String) -> Int32? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  defer { if descriptor >= 0 { close(descriptor) } }
  return syncFolder(descriptor)
}

/// Gives a file the owner and permissions of another one.
///
/// Without the right to change the owner, the file keeps this process's user as its owner.
///
/// - Parameter other: the `stat` of the other file.
package func copyOwnership(of other: stat, to descriptor: Int32) {
  // In this order: changing the owner clears some permission bits.
  if other.st_uid != getuid() || other.st_gid != getgid(),
    fchown(descriptor, other.st_uid, other.st_gid) != 0
  {
    _ = fchown(descriptor, .max, other.st_gid)
  }
  _ = fchmod(descriptor, other.st_mode & 0o7777)
}

/// Lets the group read and write a new file, if its folder is writable for the group and passes its
/// group on (the set-group-ID bit).
///
/// - Parameter path: the path of the file, or of another one in its folder.
package func shareWithGroup(_ descriptor: Int32, at path: String) {
  // If this fails, the file keeps its usual permissions.
  if isInSharedFolder(path) { _ = fchmod(descriptor, 0o660) }
}

/// Lets the group use a new folder in such a folder, and everything in it.
package func shareFolderWithGroup(at path: String) {
  if isInSharedFolder(path) { _ = chmod(path, 0o2770) }
}

private func isInSharedFolder(_ path: String) -> Bool {
  let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  var info = stat()
  let shared = S_ISGID | S_IWGRP
  return stat(folder, &info) == 0 && info.st_mode & shared == shared
}

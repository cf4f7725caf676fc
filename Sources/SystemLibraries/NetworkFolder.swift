/// Whether files are on another machine's disk.
package enum NetworkFolder {
  /// Whether an open file is, as far as the system reports it: on NFS, SMB, or a FUSE file system.
  package static func isOnNetwork(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      var info = statfs()
      return fstatfs(descriptor, &info) == 0 && info.f_flags & UInt32(MNT_LOCAL) == 0
    #else
      var info = stat()
      guard fstat(descriptor, &info) == 0,
        let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
      else { return false }
      return kind(ofDevice: device(info), in: mounts).map(isNetwork) ?? false
    #endif
  }

  /// Whether the system reports all changes to the files of a folder: if only programs on this
  /// machine write to the disk, as far as that is known.
  package static func reportsAllChanges(in folder: String) -> Bool {
    #if canImport(Darwin)
      var info = statfs()
      return statfs(folder, &info) == 0 && info.f_flags & UInt32(MNT_LOCAL) != 0
    #else
      var info = stat()
      guard stat(folder, &info) == 0, let path = realpath(folder, nil) else { return false }
      defer { free(path) }
      guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8),
        let kind = kind(ofDevice: device(info), in: mounts)
          ?? kind(ofPath: String(cString: path), in: mounts)
      else { return false }
      return isLocal(kind)
    #endif
  }

  #if !canImport(Darwin)
    /// A file's device as in `/proc/self/mountinfo`: `8:1`.
    private static func device(_ info: stat) -> String {
      let device = UInt64(info.st_dev)
      let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
      let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
      return "\(major):\(minor)"
    }
  #endif

  /// The file system type of a folder, found by its mount point.
  ///
  /// Needed for btrfs, whose subvolumes have device numbers of their own.
  package static func kind(ofPath path: String, in mounts: String) -> String? {
    var found: (length: Int, kind: String)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 4, let separator = fields.firstIndex(of: "-"),
        separator + 1 < fields.count
      else { continue }
      let point = unescaped(fields[4])
      let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
      // Of several file systems mounted at one point, the last is visible.
      guard isAbove, point.utf8.count >= found?.length ?? 0 else { continue }
      found = (point.utf8.count, String(fields[separator + 1]))
    }
    return found?.kind
  }

  /// A path with the escapes of proc(5) decoded: `\040` for a space.
  private static func unescaped(_ field: Substring) -> String {
    let bytes = Array(field.utf8)
    var path: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count,
        let byte = UInt8(String(decoding: bytes[index + 1...index + 3], as: UTF8.self), radix: 8)
      {
        path.append(byte)
        index += 4
      } else {
        path.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: path, as: UTF8.self)
  }

  /// The file system type of a device in `/proc/self/mountinfo`: `ext4`, `nfs4`.
  ///
  /// Source: proc(5): a variable number of fields is followed by a `-` and the type.
  package static func kind(ofDevice device: String, in mounts: String) -> String? {
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == device,
        let separator = fields.firstIndex(of: "-"), separator + 1 < fields.count
      else { continue }
      return String(fields[separator + 1])
    }
    return nil
  }

  /// Whether a file system type is, or may be, on another machine's disk.
  ///
  /// `fuseblk` is a disk of this machine; other FUSE file systems may be anywhere.
  package static func isNetwork(_ kind: String) -> Bool {
    ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs"].contains(kind)
      || kind.hasPrefix("fuse.")
  }

  /// Whether only this machine writes to a file system type.
  ///
  /// An unknown type may be anywhere.
  package static func isLocal(_ kind: String) -> Bool {
    [
      "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "reiserfs",
      "nilfs2",
      "tmpfs", "ramfs", "overlay", "ecryptfs", "vfat", "msdos", "exfat", "ntfs3", "fuseblk",
      "hfsplus", "udf", "iso9660", "squashfs", "erofs",
    ].contains(kind)
  }
}

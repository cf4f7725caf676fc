/// Whether files are on another machine's disk.
package enum NetworkFolder {
  /// Whether an open file is, as far as the system tells: NFS, SMB and what programs mount for
  /// others.
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

  /// Whether the system tells of everything that is done to the files of a folder: where nobody but
  /// this machine's programs writes to the disk, as far as that can be told.
  package static func tellsOfChanges(in folder: String) -> Bool {
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
    /// A file's device as `/proc/self/mountinfo` has it: `8:1`.
    private static func device(_ info: stat) -> String {
      let device = UInt64(info.st_dev)
      let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
      let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
      return "\(major):\(minor)"
    }
  #endif

  /// The kind of file system that a folder lies in, by where each is mounted.
  ///
  /// For those whose folders have devices of their own: subvolumes of btrfs.
  package static func kind(ofPath path: String, in mounts: String) -> String? {
    var found: (length: Int, kind: String)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 4, let separator = fields.firstIndex(of: "-"),
        separator + 1 < fields.count
      else { continue }
      let point = unescaped(fields[4])
      let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
      // Of several on one place the last one is on top.
      guard isAbove, point.utf8.count >= found?.length ?? 0 else { continue }
      found = (point.utf8.count, String(fields[separator + 1]))
    }
    return found?.kind
  }

  /// A path without the escapes that proc(5) tells of: `\040` for a space.
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

  /// The kind of file system that a device holds, as `/proc/self/mountinfo` says: `ext4`, `nfs4`.
  ///
  /// Source: proc(5): behind any number of further fields stand a `-` and the kind.
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

  /// Whether what a kind of file system holds is on another machine's disk, or may be.
  ///
  /// `fuseblk` is a disk of this machine; what else programs mount may lie anywhere.
  package static func isNetwork(_ kind: String) -> Bool {
    ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs"].contains(kind)
      || kind.hasPrefix("fuse.")
  }

  /// Whether nobody but this machine writes to what a kind of file system holds.
  ///
  /// One that is not known here may be anywhere.
  package static func isLocal(_ kind: String) -> Bool {
    [
      "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "reiserfs",
      "nilfs2",
      "tmpfs", "ramfs", "overlay", "ecryptfs", "vfat", "msdos", "exfat", "ntfs3", "fuseblk",
      "hfsplus", "udf", "iso9660", "squashfs", "erofs",
    ].contains(kind)
  }
}

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
      let device = UInt64(info.st_dev)
      let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
      let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
      return kind(ofDevice: "\(major):\(minor)", in: mounts).map(isNetwork) ?? false
    #endif
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
}

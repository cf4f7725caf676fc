/// Whether files are on another machine's disk.
package enum NetworkFolder {
  /// Whether an open file is, as far as the system tells: NFS, SMB and what programs mount for others.
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
      return mounts.split(separator: "\n").contains { line in
        let fields = line.split(separator: " ")
        guard fields.count > 2, fields[2] == "\(major):\(minor)",
          let separator = fields.firstIndex(of: "-"), separator + 1 < fields.count
        else { return false }
        let kind = fields[separator + 1]
        return ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs"].contains(kind)
          || kind.hasPrefix("fuse.")
      }
    #endif
  }
}

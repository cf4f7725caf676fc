/// The versions of an incremental store's nodes, for which a row has room for 32 bits.
///
/// Those that are greater are kept by object and by the bits that the row has, as long as the
/// store; a store that counts its changes has none.
final class NodeVersions: @unchecked Sendable {
  private struct RowVersion: Hashable {
    let key: Int64
    var version: UInt32
  }

  private let lock = Lock()
  // Guarded by the lock.
  private var greater: [RowVersion: UInt64] = [:]

  /// What stands for a version in the row of an object: its lower bits, or others where those stand
  /// for another version.
  func inRow(_ version: UInt64, of key: Int64) -> UInt32 {
    lock.withLock {
      var row = RowVersion(key: key, version: UInt32(truncatingIfNeeded: version))
      while let known = greater[row], known != version { row.version &+= 1 }
      if UInt64(row.version) != version { greater[row] = version }
      return row.version
    }
  }

  /// The version of a node whose row has some bits of it.
  func inNode(_ bits: UInt32, of key: Int64) -> UInt64 {
    lock.withLock { greater[RowVersion(key: key, version: bits)] ?? UInt64(bits) }
  }
}

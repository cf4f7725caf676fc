/// The versions of an incremental store's nodes, of which a row can hold only 32 bits.
///
/// Greater versions are kept for the lifetime of the store, by object and the row's 32 bits; a
/// store that counts changes from 1 has none.
final class NodeVersions: @unchecked Sendable {
  private struct RowVersion: Hashable {
    let key: Int64
    var version: UInt32
  }

  private let lock = Lock()
  // Guarded by the lock.
  private var greater: [RowVersion: UInt64] = [:]

  /// The 32 bits that represent a version in an object's row: its lower bits, or the next free ones
  /// if those already represent another version.
  func inRow(_ version: UInt64, of key: Int64) -> UInt32 {
    lock.withLock {
      var row = RowVersion(key: key, version: UInt32(truncatingIfNeeded: version))
      while let known = greater[row], known != version { row.version &+= 1 }
      if UInt64(row.version) != version { greater[row] = version }
      return row.version
    }
  }

  /// The version of a node, from the 32 bits in its row.
  func inNode(_ bits: UInt32, of key: Int64) -> UInt64 {
    lock.withLock { greater[RowVersion(key: key, version: bits)] ?? UInt64(bits) }
  }
}

/// A member of an ordered to-many as it is stored.
struct StoredMember {
  let key: Int64
  /// nil for a link that is new in this save, and if a damaged store has no key.
  let orderKey: Int64?
  let version: UInt32
}

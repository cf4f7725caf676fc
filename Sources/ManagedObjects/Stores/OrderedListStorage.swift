/// The stored list of one ordered to-many, accessed in the transaction of a save.
protocol OrderedListStorage {
  /// The highest order key in the list, or nil if there is none.
  func lastOrderKey() throws -> Int64?
  /// The members in their order; new ones that have no order key yet come first.
  func storedMembers() throws -> [StoredMember]
  /// Writes the order key of a member whose row the save does not write itself; returns the row if
  /// it changed.
  func write(_ orderKey: Int64, to member: Int64, version: UInt32) throws -> SaveResult.Move?
}

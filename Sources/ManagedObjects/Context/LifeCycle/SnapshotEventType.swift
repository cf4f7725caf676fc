/// What put an object's values back to earlier ones.
///
/// Follows Core Data's `NSSnapshotEventType`.
public struct SnapshotEventType: OptionSet, Sendable {
  /// The bits, as Core Data numbers them.
  public let rawValue: UInt

  /// Creates a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An undo of the object's insertion.
  public static let undoInsertion = SnapshotEventType(rawValue: 1 << 1)
  /// An undo of the object's deletion.
  public static let undoDeletion = SnapshotEventType(rawValue: 1 << 2)
  /// An undo of changes.
  public static let undoUpdate = SnapshotEventType(rawValue: 1 << 3)
  /// A rollback of the context.
  public static let rollback = SnapshotEventType(rawValue: 1 << 4)
  /// A refresh.
  public static let refresh = SnapshotEventType(rawValue: 1 << 5)
  /// A merge policy that took the store's values.
  public static let mergePolicy = SnapshotEventType(rawValue: 1 << 6)
}

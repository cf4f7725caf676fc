/// The events that reset an object's values to earlier ones.
///
///     override func awake(fromSnapshotEvents flags: SnapshotEventType) {
///       if !flags.isDisjoint(with: [.undoUpdate, .rollback]) { outline = nil }
///     }
///
/// Several may occur together: undoing a deletion also restores relationships, which is an undo of
/// an update. A redo counts as the undo of the undo before it: redoing a deletion is
/// `undoInsertion`. Follows Core Data's `NSSnapshotEventType`.
public struct SnapshotEventType: OptionSet, Sendable {
  /// The bits, as Core Data numbers them.
  public let rawValue: UInt

  /// Creates a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An undo of the object's insertion; the object is then deleted, or has no row any more.
  public static let undoInsertion = SnapshotEventType(rawValue: 1 << 1)
  /// An undo of the object's deletion.
  public static let undoDeletion = SnapshotEventType(rawValue: 1 << 2)
  /// An undo of changes of values or relationships.
  public static let undoUpdate = SnapshotEventType(rawValue: 1 << 3)
  /// A rollback of the context.
  public static let rollback = SnapshotEventType(rawValue: 1 << 4)
  /// A refresh or merge that read the object's values again.
  public static let refresh = SnapshotEventType(rawValue: 1 << 5)
  /// A merge policy that took values from the store or from another object during a save.
  public static let mergePolicy = SnapshotEventType(rawValue: 1 << 6)
}

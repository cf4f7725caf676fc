/// Methods of `ManagedObject` that a context calls for every row, object or value if overridden.
///
///     final class Walk: ManagedObject {
///       override class var overriddenMethods: OverriddenMethods { [.willSave] }
///       override func willSave() {
///         if changedValues().isEmpty == false { setPrimitiveValue(true, forKey: "isEdited") }
///       }
///     }
///
/// See `ManagedObject.overriddenMethods`.
public struct OverriddenMethods: OptionSet, Sendable {
  /// One bit for each method.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `awakeFromFetch()`, which a fetch would call on each object.
  public static let awakeFromFetch = OverriddenMethods(rawValue: 1)
  /// `willSave()`, which a save would call on each object.
  public static let willSave = OverriddenMethods(rawValue: 2)
  /// `didSave()`, likewise.
  public static let didSave = OverriddenMethods(rawValue: 4)
  /// `validateValue(_:forKey:)`, for which a save would box each value of each object.
  public static let validateValue = OverriddenMethods(rawValue: 8)
  /// `awake(fromSnapshotEvents:)`, which an undo would call on each object.
  public static let awakeFromSnapshotEvents = OverriddenMethods(rawValue: 16)

  /// All of these methods.
  public static let all: OverriddenMethods = [
    .awakeFromFetch, .willSave, .didSave, .validateValue, .awakeFromSnapshotEvents,
  ]
}

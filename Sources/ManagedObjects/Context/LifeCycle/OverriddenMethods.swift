/// Methods of `ManagedObject` that a context would have to call for every row, object or value.
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

  /// Methods by their bits.
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

  /// Every one of them.
  public static let all: OverriddenMethods = [
    .awakeFromFetch, .willSave, .didSave, .validateValue, .awakeFromSnapshotEvents,
  ]
}

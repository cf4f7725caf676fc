/// Which methods of `ManagedObject` a class overrides, of those that are asked for every row or
/// value.
///
/// A fetch of 100,000 objects need not tell each that it was fetched where their class does not
/// listen, and a save need not box each value for a check that nobody added. Swift cannot be asked,
/// so this compares the classes' method tables: an entry that is not `ManagedObject`'s own is an
/// override. Where the tables don't tell, every class counts as overriding, which is slower and
/// never wrong.
struct OverriddenMethods: OptionSet {
  let rawValue: UInt8

  static let awakeFromFetch = OverriddenMethods(rawValue: 1)
  static let willSave = OverriddenMethods(rawValue: 2)
  static let didSave = OverriddenMethods(rawValue: 4)
  static let validateValue = OverriddenMethods(rawValue: 8)
  static let awakeFromSnapshot = OverriddenMethods(rawValue: 16)
  static let all: OverriddenMethods = [
    .awakeFromFetch, .willSave, .didSave, .validateValue, .awakeFromSnapshot,
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Looks at a class.
  init(of type: ManagedObject.Type) {
    if type == ManagedObject.self {
      self = []
      return
    }
    let methods = OverridableMethods.shared
    self = .all
    if !methods.awakeFromFetch.isOverridden(by: type) { remove(.awakeFromFetch) }
    if !methods.willSave.isOverridden(by: type) { remove(.willSave) }
    if !methods.didSave.isOverridden(by: type) { remove(.didSave) }
    if !methods.validateValue.isOverridden(by: type) { remove(.validateValue) }
    if !methods.awakeFromSnapshot.isOverridden(by: type) { remove(.awakeFromSnapshot) }
  }
}

/// Where the methods stand in the table of every class of managed objects.
private struct OverridableMethods {
  let awakeFromFetch = OverridableMethod(overriddenBy: WakingObject.self)
  let willSave = OverridableMethod(overriddenBy: SavingObject.self)
  let didSave = OverridableMethod(overriddenBy: SavedObject.self)
  let validateValue = OverridableMethod(overriddenBy: ValidatingObject.self)
  let awakeFromSnapshot = OverridableMethod(overriddenBy: RevivedObject.self)

  static let shared = OverridableMethods()
}

/// The word of a class's metadata that leads to one method; nil where it was not found.
private struct OverridableMethod {
  let index: Int?

  /// Finds the one word in which a class differs from `ManagedObject`, and one that overrides
  /// nothing does not.
  init(overriddenBy type: ManagedObject.Type) {
    let (own, plain, probe) = (
      ClassMetadata(ManagedObject.self), ClassMetadata(PlainObject.self), ClassMetadata(type)
    )
    var found: Int?
    var count = 0
    for index in 0..<own.count where own[index] == plain[index] && own[index] != probe[index] {
      found = index
      count += 1
    }
    index = count == 1 ? found : nil
  }

  func isOverridden(by type: ManagedObject.Type) -> Bool {
    guard let index else { return true }
    return ClassMetadata(type)[index] != ClassMetadata(ManagedObject.self)[index]
  }
}

/// The words of a class's metadata, whose layout Swift's ABI fixes; the table of methods is among
/// them, that of a superclass at the same place in every subclass.
private struct ClassMetadata {
  private let words: UnsafePointer<UInt>
  let count: Int

  init(_ type: ManagedObject.Type) {
    // A class's metatype is the address of its metadata.
    words = unsafeBitCast(type as AnyClass, to: UnsafePointer<UInt>.self)
    // Size and address point are two 32-bit numbers behind kind, superclass, flags and sizes; with
    // the Objective-C runtime three words more stand before the flags.
    #if canImport(ObjectiveC)
      let sizes = 7
    #else
      let sizes = 4
    #endif
    let (size, start) = (words[sizes] & 0xFFFF_FFFF, words[sizes] >> 32)
    count = Int(size - start) / MemoryLayout<UInt>.size
  }

  subscript(index: Int) -> UInt { words[index] }
}

// Classes that are never instantiated; their method tables tell where each method stands.
private final class PlainObject: ManagedObject {}

private final class WakingObject: ManagedObject {
  override func awakeFromFetch() { _key = 1 }
}

private final class SavingObject: ManagedObject {
  override func willSave() { _key = 2 }
}

private final class SavedObject: ManagedObject {
  override func didSave() { _key = 3 }
}

private final class ValidatingObject: ManagedObject {
  override func validateValue(_ value: inout Any?, forKey key: String) { _key = 4 }
}

private final class RevivedObject: ManagedObject {
  override func awake(fromSnapshotEvents flags: SnapshotEventType) { _key = 5 }
}

public import Foundation
public import ManagedObjects

/// What a fetch can give: objects, IDs, dictionaries, a count.
public protocol NSFetchRequestResult {}

extension ManagedObject: NSFetchRequestResult {}
extension ManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// What a request gives, by Core Data's first names.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Creates a type from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// IDs.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// Dictionaries.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// How many there are.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

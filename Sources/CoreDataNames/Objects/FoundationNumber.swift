/// A Swift type for the numbers of attributes.
public protocol FoundationNumber: SlotValue {
  /// Converts a number of Foundation's, truncating it if necessary.
  init(truncating number: NSNumber)
  /// The number as an `NSNumber`.
  var foundationNumber: NSNumber { get }
}

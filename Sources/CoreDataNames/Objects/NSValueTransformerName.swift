/// The name of a transformer in models.
///
///     extension NSValueTransformerName { static let tag = NSValueTransformerName("TagTransformer") }
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Creates a transformer name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a transformer name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The transformer of attributes that name none: a keyed archive.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName(
    "NSSecureUnarchiveFromData")
}

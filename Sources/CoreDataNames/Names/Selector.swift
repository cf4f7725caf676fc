/// The name of a method, for sort descriptors.
///
///     NSSortDescriptor(key: "name", ascending: true, selector: "caseInsensitiveCompare:")
///
/// There is no `#selector` without Objective-C.
public struct Selector: Sendable, Hashable, ExpressibleByStringLiteral {
  let name: String

  /// Creates a selector from a method's name.
  public init(_ name: String) { self.name = name }

  /// Creates a selector from a method's name.
  public init(stringLiteral name: String) { self.name = name }
}

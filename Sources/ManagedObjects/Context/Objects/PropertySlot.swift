/// A property as momc compiled it: its number in the entity's layout, and its name.
///
/// The number is used only if the model in use is the compiled one; otherwise, and if it is
/// negative, the name is. Transient attributes have only names. A debug build of a program traps if
/// the number does not match the name.
@frozen
public struct PropertySlot: Sendable {
  @usableFromInline let number: Int
  @usableFromInline let name: StaticString

  /// Creates a slot; called by code that momc generates.
  @inlinable
  public init(_ number: Int, _ name: StaticString) {
    self.number = number
    self.name = name
  }
}

/// A single-valued expression with the kind of its value.
struct TypedExpression {
  /// The kind of a value; values of different kinds cannot be compared.
  enum Kind: Equatable {
    case number
    case text
    case bytes
    /// An object of a root entity; nil if the expression names it by its ID.
    case object(root: Int?)
    /// A missing value, which can be compared with any kind.
    case none
  }

  var expression: BoundExpression
  var kind: Kind
  /// The type of the attribute, if the expression is one.
  var type: AttributeDescription.AttributeType?
  /// The constant, if the expression is one.
  var value: AttributeValue?
  var id: ManagedObjectID?
}

public import ManagedObjects

/// A value in each dictionary that a fetch returns.
///
///     let total = NSExpressionDescription()
///     total.name = "total"
///     total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "minutes")])
///     total.expressionResultType = .integer64AttributeType
///     request.propertiesToFetch = [total]
open class NSExpressionDescription {
  /// The key in the dictionary.
  public var name = ""
  /// The expression that is evaluated.
  public var expression: NSExpression?
  /// The type of the result; undefined for that of the value.
  public var expressionResultType = NSAttributeType.undefinedAttributeType
  /// The type of the result, by its newer name.
  public var resultType: AttributeDescription.AttributeType {
    get { expressionResultType.type ?? .undefined }
    set { expressionResultType = NSAttributeType(newValue) }
  }

  /// Creates a description without a name or expression.
  public init() {}

  /// - Precondition: the description has a name and an expression.
  var expressionDescription: ExpressionDescription {
    guard let expression, !name.isEmpty else {
      fatalError("An expression description needs a name and an expression.")
    }
    let type = expressionResultType.type
    return expression.aggregate.map {
      ExpressionDescription(name: name, $0, of: expression.fetchExpression, resultType: type)
    } ?? ExpressionDescription(name: name, expression: expression.fetchExpression, resultType: type)
  }
}

@available(*, unavailable) extension NSExpressionDescription: Sendable {}

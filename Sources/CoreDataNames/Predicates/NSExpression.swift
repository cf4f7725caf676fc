import Foundation
import ManagedObjects

/// An expression that is evaluated for each object, or for a group.
///
///     NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "minutes")])
///
/// Replaces Foundation's class, which has no function on systems without Objective-C.
open class NSExpression {
  let fetchExpression: FetchExpression
  let aggregate: ExpressionDescription.Aggregate?

  init(_ expression: FetchExpression, _ aggregate: ExpressionDescription.Aggregate?) {
    fetchExpression = expression
    self.aggregate = aggregate
  }

  /// Creates an expression from text.
  ///
  ///     NSExpression(format: "walks.@sum.minutes / %d", 60)
  ///
  /// - Precondition: the text is an expression; Core Data raises an exception otherwise.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
  }

  /// Creates an expression from text, with the arguments in an array.
  ///
  /// - Precondition: as above.
  public convenience init(format: String, argumentArray: [Any]) {
    let name = format.prefix { $0 != "(" }
    if let aggregate = Self.aggregates[String(name)],
      let argument = Self.inParentheses(format.dropFirst(name.count))
    {
      self.init(Self.read(String(argument), argumentArray), aggregate)
    } else {
      self.init(Self.read(format, argumentArray), nil)
    }
  }

  /// Creates an expression for an attribute, or a key path that ends in one.
  public convenience init(forKeyPath keyPath: String) { self.init(.keyPath(keyPath), nil) }

  /// Creates an expression for a value.
  public convenience init(forConstantValue value: Any?) {
    self.init(predicateArgument(value)?.predicateExpression ?? .constant(nil), nil)
  }

  /// Creates an expression for a variable of a predicate.
  public convenience init(forVariable name: String) { self.init(.variable(name), nil) }

  /// Creates an expression for a function.
  ///
  /// These are `count:`, `sum:`, `average:`, `min:` and `max:` of a group, or a function of the
  /// predicate language on an object's values.
  ///
  /// - Precondition: a function with that name exists.
  public convenience init(forFunction name: String, arguments: [Any]) {
    let name = String(name.prefix { $0 != ":" })
    let expressions = arguments.map { argument in
      (argument as? NSExpression)?.fetchExpression ?? predicateArgument(argument)?
        .predicateExpression
        ?? .constant(nil)
    }
    if let aggregate = Self.aggregates[name], expressions.count == 1 {
      self.init(expressions[0], aggregate)
    } else {
      let placeholders = expressions.map { _ in "%@" }.joined(separator: ", ")
      self.init(Self.read("\(name):(\(placeholders))", expressions), nil)
    }
  }

  /// An expression for the object itself.
  open class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(.evaluatedObject, nil)
  }

  /// The expression's value for an object; variables have theirs in a dictionary.
  ///
  ///     NSExpression(forKeyPath: "owner.name").expressionValue(with: dog, context: nil)
  ///
  /// - Precondition: the expression is a key path, a constant, a variable, or a key path from a
  ///   variable.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    switch fetchExpression.kind {
    case .constant(let value): return value?.foundationValue
    case .evaluatedObject: return object
    case .variable(let name): return context?[name]
    case .keyPath(let keyPath): return (object as? ManagedObject)?.value(forKeyPath: keyPath)
    case .property(let base, let names):
      let base = NSExpression(base, nil).expressionValue(with: object, context: context)
      return (base as? ManagedObject)?.value(forKeyPath: names)
    default: fatalError("Only a store can evaluate \(fetchExpression).")
    }
  }

  private static let aggregates: [String: ExpressionDescription.Aggregate] = [
    "count": .count, "sum": .sum, "average": .average, "min": .minimum, "max": .maximum,
    "count:": .count, "sum:": .sum, "average:": .average, "min:": .minimum, "max:": .maximum,
  ]

  /// What stands in parentheses, if nothing follows the one that closes the first; else nil.
  private static func inParentheses(_ text: Substring) -> Substring? {
    guard text.first == "(" else { return nil }
    var depth = 0
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if let open = quote {
        if character == "\\" {
          index = text.index(index, offsetBy: 1, limitedBy: text.endIndex) ?? text.endIndex
        } else if character == open {
          quote = nil
        }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
        if depth == 0 {
          return text.index(after: index) == text.endIndex ? text.dropFirst().dropLast() : nil
        }
      }
      if index < text.endIndex { text.formIndex(after: &index) }
    }
    return nil
  }

  private static func read(_ format: String, _ arguments: [Any]) -> FetchExpression {
    do {
      return try FetchExpression(
        format: format, argumentArray: arguments.map { predicateArgument($0) })
    } catch {
      fatalError("\"\(format)\" is not an expression: \(error)")
    }
  }
}

@available(*, unavailable) extension NSExpression: Sendable {}

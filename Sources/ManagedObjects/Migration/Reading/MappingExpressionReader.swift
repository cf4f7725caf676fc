import DataFormats
import DataModel

/// Reads archived expressions of a mapping model: `NSExpression` and its subclasses.
///
///     var reader = MappingExpressionReader(archive)
///     let value = try reader.value(object)   // .expression($source.name)
struct MappingExpressionReader {
  /// An unsupported part of an expression: the rest of a sentence that begins with the expression.
  struct Problem: Error {
    let text: String

    init(_ text: String) { self.text = text }
  }

  /// The number of objects that may still be read: a few that refer to each other could expand
  /// without limit.
  private var allowance: Int
  private var depth = 0
  /// The allowed variables: the source's object, and the variables of enclosing subqueries.
  var variables: Set<String> = ["source"]

  private static let maximumDepth = 100
  private static let leastAllowance = 10_000

  /// Creates a reader of the expressions of an archive.
  init(_ archive: KeyedArchive) {
    allowance = Self.leastAllowance + 16 * archive.objectCount
  }

  /// Counts an object that is read.
  ///
  /// - Throws: `Problem` if there are more than an archive of this size needs.
  mutating func count() throws(Problem) {
    allowance -= 1
    guard allowance > 0 else { throw Problem("refers to the same objects too often") }
  }

  /// Counts an object that is read, and increments the nesting depth; `leave()` decrements it.
  ///
  /// - Throws: `Problem` if either is too large.
  mutating func enter() throws(Problem) {
    try count()
    guard depth < Self.maximumDepth else { throw Problem("is nested too deeply") }
    depth += 1
  }

  /// Decrements the nesting depth.
  mutating func leave() { depth -= 1 }

  /// The value that a property mapping's expression specifies.
  ///
  /// - Throws: `Problem`.
  mutating func value(_ object: KeyedArchive.Object) throws(Problem) -> PropertyMapping.Value {
    guard object.className == "NSFunctionExpression" else {
      return .expression(try expression(object))
    }
    let selector = object.text("NSSelectorName") ?? ""
    let arguments = object.members("NSArguments").compactMap(object.object(of:))
    switch object.operandVariable {
    case "entityPolicy":
      return .policyFunction(selector, arguments: try policyArguments(of: object))
    case "manager": break
    default: return .expression(try expression(object))
    }
    guard Self.lookUps.contains(selector), arguments.count == 2,
      let name = arguments[0].text("NSConstantValue")
    else { throw Problem("calls \(selector) of the migration manager") }
    return .destinationInstances(
      of: try expression(arguments[1]), mappedBy: selector == Self.lookUps[0] ? name : nil)
  }

  /// The arguments of a policy's method: expressions, and variables of the migration.
  private mutating func policyArguments(
    of object: KeyedArchive.Object
  ) throws(Problem) -> [FetchExpression] {
    var arguments: [FetchExpression] = []
    for value in object.members("NSArguments") {
      guard let argument = object.object(of: value) else {
        throw Problem("has an argument that is not an expression")
      }
      if let name = argument.text("NSVariable"), Self.policyVariables.contains(name) {
        try count()
        arguments.append(.variable(name))
      } else {
        arguments.append(try expression(argument))
      }
    }
    return arguments
  }

  /// The variables that may be passed to a policy's method as they are.
  private static let policyVariables: Set<String> = [
    "destination", "manager", "entityMapping", "propertyMapping",
  ]

  /// The manager's functions that look up the destination's objects; the one with a mapping's name
  /// first.
  private static let lookUps = [
    "destinationInstancesForEntityMappingNamed:sourceInstances:",
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
  ]

  /// The source's entity and the condition in the fetch expression of an entity mapping.
  ///
  /// - Throws: `Problem`.
  func source(
    _ object: KeyedArchive.Object
  ) throws(Problem) -> (entityName: String, predicate: String) {
    let request = object.object("NSFRExpression") ?? object
    let arguments = request.members("NSArguments").compactMap(request.object(of:))
    guard request.operandVariable == "manager",
      request.text("NSSelectorName") == "fetchRequestForSourceEntityNamed:predicateString:",
      arguments.count == 2, let name = arguments[0].text("NSConstantValue"),
      let predicate = arguments[1].text("NSConstantValue")
    else { throw Problem("is not a fetch request of an entity") }
    return (name, predicate)
  }

  // MARK: Expressions

  /// Reads any expression.
  ///
  /// - Throws: `Problem`.
  mutating func expression(_ object: KeyedArchive.Object) throws(Problem) -> FetchExpression {
    try enter()
    defer { leave() }
    switch object.className {
    case "NSConstantValueExpression": return try constant(object["NSConstantValue"], of: object)
    case "NSVariableExpression":
      let name = object.text("NSVariable") ?? ""
      guard variables.contains(name) else { throw Problem("uses $\(name)") }
      return .variable(name)
    case "NSSelfExpression": return .evaluatedObject
    case "NSKeyPathExpression", "NSFunctionExpression": return try call(object)
    case "NSAggregateExpression":
      return .aggregate(try expressions(object.members("NSCollection"), of: object))
    case "NSTernaryExpression": return try conditional(object)
    case "NSSubqueryExpression": return try subquery(object)
    case "NSFetchRequestExpression": throw Problem("is a FETCH")
    case "NSBlockExpression": throw Problem("is a block")
    case let name: throw Problem("has an expression of the class \(name)")
    }
  }

  private mutating func expressions(
    _ values: [PropertyList], of object: KeyedArchive.Object
  ) throws(Problem) -> [FetchExpression] {
    var expressions: [FetchExpression] = []
    for value in values {
      guard let inner = object.object(of: value) else {
        throw Problem("has an argument that is not an expression")
      }
      expressions.append(try expression(inner))
    }
    return expressions
  }

  private mutating func call(_ object: KeyedArchive.Object) throws(Problem) -> FetchExpression {
    let selector = object.text("NSSelectorName") ?? ""
    if selector == "valueForKeyPath:" || selector == "valueForKey:" {
      guard let operand = object.object("NSOperand"), let path = object.keyPath else {
        throw Problem("has a key path without names")
      }
      return try expression(operand).property(path)
    }
    if object.object("NSOperand")?.text("NSConstantValueClassName") == "_NSPredicateUtilities" {
      return try function(
        selector, try expressions(object.members("NSArguments"), of: object))
    }
    switch object.operandVariable {
    case "entityPolicy": throw Problem("calls \(selector) of the policy")
    case "manager": throw Problem("calls \(selector) of the migration manager")
    default: throw Problem("calls the method \(selector)")
    }
  }

  private func function(
    _ name: String, _ arguments: [FetchExpression]
  ) throws(Problem) -> FetchExpression {
    let lowercased = name.lowercased()
    if lowercased == "castobject:totype:", arguments.count == 2,
      case .constant(.string(let type)?) = arguments[1].kind
    {
      return try cast(arguments[0], to: type)
    }
    if lowercased == "objectfrom:withindex:", arguments.count == 2,
      case .constant(.integer(let index)?) = arguments[1].kind, index >= 0
    {
      return .element(of: arguments[0], .index(Int(index)))
    }
    if let function = PredicateParser.function(lowercased),
      function.argumentCount == arguments.count
    {
      return .function(function, arguments)
    }
    if let aggregate = PredicateParser.aggregate(lowercased), arguments.count == 1 {
      switch arguments[0].kind {
      case .keyPath(let path): return .keyPath(PredicateParser.keyPath(aggregate, path))
      case .property(let base, let path):
        return .property(of: base, PredicateParser.keyPath(aggregate, path))
      default: break
      }
    }
    throw Problem("calls the function \(name)")
  }

  private func cast(
    _ inner: FetchExpression, to type: String
  ) throws(Problem) -> FetchExpression {
    if case .constant(let value?) = inner.kind, let made = value.cast(to: type) {
      return .constant(made)
    }
    switch type {
    case "NSDate": return .function(.toDate, [inner])
    case "NSNumber": return .function(.toNumber, [inner])
    default: throw Problem("casts to \(type)")
    }
  }

  // MARK: Constants

  private mutating func constant(
    _ value: PropertyList?, of object: KeyedArchive.Object
  ) throws(Problem) -> FetchExpression {
    if value == nil, let name = object.text("NSConstantValueClassName") {
      throw Problem("uses the class \(name)")
    }
    guard let value else { return .constant(nil) }
    if let text = object.text(of: value) { return .constant(.string(text)) }
    switch value {
    case .integer(let number): return .constant(.integer(number))
    case .real(let number): return .constant(.double(number))
    case .boolean(let flag): return .constant(.boolean(flag))
    case .date(let date): return .constant(.date(date))
    case .data(let data): return .constant(.binary(data))
    default: return try constant(object: value, of: object)
    }
  }

  private mutating func constant(
    object value: PropertyList, of owner: KeyedArchive.Object
  ) throws(Problem) -> FetchExpression {
    let object = owner.object(of: value)
    let name = object?.className ?? ""
    switch name {
    case "NSNull": return .constant(nil)
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
      var members: [FetchExpression] = []
      for member in object?.directMembers ?? [] {
        try enter()
        defer { leave() }
        members.append(try constant(member, of: owner))
      }
      return .aggregate(members)
    case "NSData", "NSMutableData":
      guard case .data(let data)? = object?["NS.data"] else { break }
      return .constant(.binary(data))
    default:
      guard let type = Self.types[name], let read = owner.value(value, type: type) else { break }
      return .constant(read)
    }
    throw Problem("has a constant of the class \(name)")
  }

  private static let types: [String: AttributeDescription.AttributeType] = [
    "NSDate": .date, "NSUUID": .uuid, "NSURL": .uri, "NSDecimalNumber": .decimal,
  ]
}

@available(*, unavailable) extension MappingExpressionReader: Sendable {}

extension KeyedArchive.Object {
  /// The name of the variable that a function is called on; nil if it is not a variable.
  fileprivate var operandVariable: String? { object("NSOperand")?.text("NSVariable") }

  /// The key path that is a function's argument.
  fileprivate var keyPath: String? {
    let argument = members("NSArguments").first.flatMap(object(of:))
    return (argument?.text("NSKeyPath") ?? argument?.text("NSConstantValue"))
      .flatMap { $0.isEmpty ? nil : $0 }
  }
}

import SystemLibraries

extension PredicateBinder {
  /// Binds an expression that must have a single value.
  func value(
    _ expression: FetchExpression, _ scopes: Scopes
  ) throws(PredicateBindingError) -> TypedExpression {
    switch expression.kind {
    case .constant(let value):
      guard let value, !value.isNaN else {
        return TypedExpression(expression: .constant(nil), kind: .none)
      }
      return TypedExpression(
        expression: .constant(Scalar(value)), kind: Self.kind(value), value: value)
    case .object(let id):
      return TypedExpression(expression: .constant(nil), kind: .object(root: nil), id: id)
    case .aggregate:
      throw PredicateBindingError(
        "\(expression.format) is several values, which only IN and BETWEEN accept.",
        in: expression.format)
    case .function(let function, let arguments):
      return try value(function, arguments, scopes, expression)
    case .conditional(let condition, let one, let other):
      return try value(condition, one, other, scopes, expression)
    case .element(let base, let index):
      if case .aggregate(let values) = base.kind {
        let index = index.index(in: values)
        return try value(values.indices.contains(index) ? values[index] : .constant(nil), scopes)
      }
    case .property(let base, "@count"):
      if case .aggregate(let values) = base.kind {
        return try value(.constant(.integer(Int64(values.count))), scopes)
      }
    case .keyPath(let names) where Self.isOfAllObjects(names):
      return try valueOfAllObjects(names, expression)
    case .keyPath, .evaluatedObject, .variable, .property, .subquery: break
    case .tooDeep: throw Self.tooDeep
    }
    // All other kinds are key paths.
    return try value(of: try path(expression, scopes)!, expression)
  }

  /// The value at the end of a key path.
  func value(
    of path: PredicatePath, _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    if let index = path.element { return try element(index, of: path, expression) }
    if case .operation(let aggregate, let names) = path.end {
      return try value(aggregate, names, path, expression)
    }
    guard path.levels.isEmpty else {
      throw PredicateBindingError(
        "\(expression.format) has many values: write ANY or ALL before it, or @count after it.",
        in: expression.format)
    }
    return try member(of: path, expression)
  }

  /// The value of the member at an index.
  private func element(
    _ index: FetchExpression.ElementIndex, of path: PredicatePath, _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    guard path.levels.count == 1 else {
      throw PredicateBindingError(
        "\(expression.format) contains another to-many relationship: use SUBQUERY.",
        in: expression.format)
    }
    var typed = try member(of: path, expression)
    let members = BoundCollection(levels: path.levels)
    typed.expression =
      switch index {
      case .first: .element(members, fromEnd: false, 0, typed.expression)
      case .last: .element(members, fromEnd: true, 0, typed.expression)
      case .index(let number): .element(members, fromEnd: false, number, typed.expression)
      }
    return typed
  }

  /// Binds a conditional expression.
  private func value(
    _ condition: FetchPredicate, _ one: FetchExpression, _ other: FetchExpression,
    _ scopes: Scopes, _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    let condition = try bind(condition, scopes)
    let (first, second) = (try value(one, scopes), try value(other, scopes))
    for side in [first, second] {
      guard case .object = side.kind else { continue }
      throw PredicateBindingError(
        "TERNARY chooses between values, not objects.", in: expression.format)
    }
    guard first.kind == second.kind || first.kind == .none || second.kind == .none else {
      throw PredicateBindingError(
        "\(one.format) and \(other.format) are of different kinds.", in: expression.format)
    }
    return TypedExpression(
      expression: .conditional(condition, first.expression, second.expression),
      kind: first.kind == .none ? second.kind : first.kind,
      type: first.type == second.type ? first.type : nil)
  }

  /// The value at the end of a key path, for one member if it leads to many.
  func member(
    of path: PredicatePath, _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    switch path.end {
    case .operation:
      throw PredicateBindingError("\(expression.format) is one value.", in: expression.format)
    case .object:
      return TypedExpression(
        expression: .key(scope: path.scope), kind: .object(root: path.entity.root))
    case .slot(let slot, let type):
      let bound = BoundExpression.value(
        scope: path.scope, BoundKeyPath(hops: path.hops, slot: slot, type: type))
      guard let type else {
        // A slot without an attribute belongs to a to-one.
        let root = bindings[path.entity.toOnesBySlot[slot]!.destination].root
        return TypedExpression(expression: bound, kind: .object(root: root))
      }
      return TypedExpression(expression: bound, kind: Self.kind(type), type: type)
    }
  }

  /// An aggregate over all members of a to-many.
  private func value(
    _ aggregate: AggregateFunction, _ names: String?, _ path: PredicatePath,
    _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    let members = BoundCollection(levels: path.levels)
    guard let names else {
      return TypedExpression(
        expression: .aggregate(.count, members, .constant(nil)), kind: .number)
    }
    var scopes = path.scopes
    scopes.variables.append("")
    scopes.numbers.append(path.scope)
    let inner = try value(.property(of: .variable(""), names), scopes)
    try check(inner, of: aggregate, names, expression)
    return TypedExpression(
      expression: .aggregate(aggregate, members, inner.expression), kind: inner.kind)
  }

  /// Checks that an aggregate accepts values of a kind.
  func check(
    _ inner: TypedExpression, of aggregate: AggregateFunction, _ names: String,
    _ expression: FetchExpression
  ) throws(PredicateBindingError) {
    let isFit = aggregate == .minimum || aggregate == .maximum || inner.kind == .number
    guard isFit, inner.kind != .none else {
      throw PredicateBindingError("\(names) is not a number.", in: expression.format)
    }
    if case .object = inner.kind {
      throw PredicateBindingError(
        "\(names) refers to objects, which cannot be ordered.", in: expression.format)
    }
  }

  private func value(
    _ function: FetchExpression.Function, _ arguments: [FetchExpression], _ scopes: Scopes,
    _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    guard function != .now else { return try value(.constant(.date(.now)), scopes) }
    guard arguments.count == function.argumentCount else {
      throw PredicateBindingError(
        "\(function.rawValue) takes \(function.argumentCount) values.", in: expression.format)
    }
    if function == .toObject { return try object(arguments[0], expression) }
    var bound: [BoundExpression] = []
    var constants: [Scalar?] = []
    for argument in arguments {
      let typed = try value(argument, scopes)
      guard function.takes(typed.kind) else {
        throw PredicateBindingError(
          "\(argument.format) is not a valid argument of \(function.rawValue).", in: argument.format
        )
      }
      bound.append(typed.expression)
      if case .constant(let constant) = typed.expression { constants.append(constant) }
    }
    let isText = function == .lowercase || function == .uppercase
    var made = BoundExpression.function(function, bound)
    if constants.count == bound.count {
      made = .constant(
        ScalarFunction.apply(function, constants[0], constants.count > 1 ? constants[1] : nil))
    }
    return TypedExpression(expression: made, kind: isText ? .text : .number)
  }

  /// The object that a URI names.
  private func object(
    _ argument: FetchExpression, _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    guard case .constant(.string(let uri)?) = argument.kind,
      let id = ManagedObjectID(uri: uri, bindings: bindings)
    else { throw PredicateBindingError("There is no such object.", in: expression.format) }
    return try value(.object(id), Scopes(entities: [entity]))
  }

  static func kind(_ type: AttributeDescription.AttributeType) -> TypedExpression.Kind {
    switch SlotKind(type) {
    case .integer, .real, .key, .entityNumber, .orderKey: .number
    case .text: .text
    case .blob, .external: .bytes
    }
  }

  private static func kind(_ value: AttributeValue) -> TypedExpression.Kind {
    switch value {
    case .integer, .double, .decimal, .boolean, .date: .number
    case .string, .uri: .text
    case .uuid, .binary: .bytes
    }
  }
}

extension FetchExpression.ElementIndex {
  /// The index as a number, possibly outside of the values.
  fileprivate func index(in values: [FetchExpression]) -> Int {
    switch self {
    case .first: 0
    case .last: values.count - 1
    case .index(let number): number
    }
  }
}

extension FetchExpression.Function {
  /// Whether the function accepts values of a kind.
  fileprivate func takes(_ kind: TypedExpression.Kind) -> Bool {
    switch (self, kind) {
    case (_, .none): true
    case (.lowercase, .text), (.uppercase, .text), (.length, .text), (.length, .bytes): true
    case (.lowercase, _), (.uppercase, _), (.length, _): false
    default: kind == .number
    }
  }
}

extension ManagedObjectID {
  /// The ID that a URI names among the entities of some stores; nil if there is none.
  init?(uri: String, bindings: [EntityBinding]) {
    let parts = uri.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count == 4, parts[0] == "x-coredata:", parts[3].first == "p",
      let key = Int64(parts[3].dropFirst()), key > 0,
      let index = bindings.index(named: parts[2], ofStore: parts[1])
    else { return nil }
    self.init(binding: bindings[index], key: key)
  }
}

extension [EntityBinding] {
  /// The index of the entity with a name in the store with an identifier; nil if there is none.
  ///
  /// If a store was removed and added again, this is the current one.
  func index(named name: some StringProtocol, ofStore identifier: some StringProtocol) -> Int? {
    func isWanted(_ binding: EntityBinding) -> Bool {
      binding.store.identifier == identifier && binding.name == name
    }
    return firstIndex { isWanted($0) && !$0.store.isRemoved } ?? firstIndex(where: isWanted)
  }
}

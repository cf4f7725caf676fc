extension PredicateBinder {
  /// Resolves a key path from the evaluated object.
  func path(_ names: String, _ scopes: Scopes) throws(PredicateBindingError) -> PredicatePath {
    var path = PredicatePath(scope: 0, entity: entity, scopes: scopes)
    try follow(names, &path)
    return path
  }

  /// Resolves the key path of an expression; nil if it is not one.
  func path(
    _ expression: FetchExpression, _ scopes: Scopes
  ) throws(PredicateBindingError) -> PredicatePath? {
    switch expression.kind {
    case .keyPath(let names):
      return Self.isOfAllObjects(names) ? nil : try path(names, scopes)
    case .evaluatedObject: return PredicatePath(scope: 0, entity: entity, scopes: scopes)
    case .variable(let name):
      guard let index = scopes.variables.lastIndex(of: name) else {
        throw PredicateBindingError("The variable $\(name) has no value.", in: "$\(name)")
      }
      let scope = scopes.numbers[index]
      return PredicatePath(scope: scope, entity: scopes.entities[scope], scopes: scopes)
    case .property(let base, let names):
      guard var path = try path(base, scopes), case .object = path.end else {
        throw PredicateBindingError(
          "\(base.format) has no properties.", in: expression.format)
      }
      try follow(names, &path)
      return path
    case .subquery(let collection, let variable, let condition):
      guard var path = try path(collection, scopes), case .object = path.end,
        path.hops.isEmpty, !path.levels.isEmpty
      else {
        throw PredicateBindingError("SUBQUERY needs a to-many relationship.", in: collection.format)
      }
      var inner = path.scopes
      inner.variables.append(variable)
      inner.numbers.append(path.scope)
      path.levels[path.levels.count - 1].filters.append(try bind(condition, inner))
      return path
    case .element(let base, let index):
      if case .aggregate = base.kind { return nil }
      guard var path = try path(base, scopes), case .object = path.end, path.hops.isEmpty,
        let last = path.levels.last, path.element == nil
      else {
        throw PredicateBindingError(
          "Only a to-many relationship has elements.", in: expression.format)
      }
      guard path.levels.count == 1, last.toMany.description.isOrdered else {
        throw PredicateBindingError(
          "\(base.format) is not ordered, so it has no \(index.format).", in: expression.format)
      }
      path.element = index
      return path
    case .constant, .object, .aggregate, .function, .conditional: return nil
    case .tooDeep: throw Self.tooDeep
    }
  }

  /// The key path of an expression to many objects; nil if it leads to one, or is not a key path.
  func pathToMany(
    _ expression: FetchExpression, _ scopes: Scopes
  ) throws(PredicateBindingError) -> PredicatePath? {
    guard let path = try path(expression, scopes), !path.levels.isEmpty, path.element == nil else {
      return nil
    }
    return path
  }

  /// Resolves names from the end of a path.
  private func follow(_ names: String, _ path: inout PredicatePath) throws(PredicateBindingError) {
    var rest: Substring? = names[...]
    while let whole = rest {
      let dot = whole.utf8.firstIndex(of: UInt8(ascii: "."))
      let name = String(whole[..<(dot ?? whole.endIndex)])
      rest = dot.map { whole[whole.utf8.index(after: $0)...] }
      if let toOne = path.entity.slotsByName[name].flatMap({ path.entity.toOnesBySlot[$0] }) {
        try refuse(transient: toOne.slot, names, path.entity)
        if rest == nil { return path.end = .slot(toOne.slot, nil) }
        path.hops.append(toOne)
        path.entity = bindings[toOne.destination]
      } else if let number = path.entity.toManysByName[name] {
        try descend(path.entity.toManys[number], names, &path)
      } else if name.utf8.first == UInt8(ascii: "@") {
        let rest = rest.map { String($0) }
        path.end = .operation(try operation(name, rest, path, names), rest)
        return
      } else if isObject(name) {
        guard path.hops.isEmpty else {
          // The key in the last to-one is that of the object.
          let last = path.hops.removeLast()
          path.end = .slot(last.slot, nil)
          return
        }
      } else {
        path.end = try attribute(String(whole), from: name, names, path.entity)
        return
      }
    }
  }

  /// Whether a name refers to the object before it.
  private func isObject(_ name: String) -> Bool {
    name == "self" || name == "SELF" || name == "objectID"
  }

  private func descend(
    _ toMany: EntityBinding.ToMany, _ names: String, _ path: inout PredicatePath
  ) throws(PredicateBindingError) {
    if case .memory = toMany.storage, !allowsTransient {
      throw PredicateBindingError(
        "\(path.entity.name).\(toMany.description.name) is transient: a store has no value to compare.",
        in: names)
    }
    let member = path.scopes.entities.count
    path.levels.append(
      BoundCollection.Level(
        owner: path.scope, hops: path.hops, toMany: toMany, entity: path.entity.index,
        member: member))
    path.scope = member
    path.hops = []
    path.entity = bindings[toMany.destination]
    path.scopes.entities.append(path.entity)
  }

  private func operation(
    _ name: String, _ rest: String?, _ path: PredicatePath, _ names: String
  ) throws(PredicateBindingError) -> AggregateFunction {
    guard !path.levels.isEmpty, path.hops.isEmpty else {
      throw PredicateBindingError("\(name) must follow a to-many relationship.", in: names)
    }
    return try aggregate(name, rest, names)
  }

  /// The aggregate function of a collection operator.
  func aggregate(
    _ name: String, _ rest: String?, _ names: String
  ) throws(PredicateBindingError) -> AggregateFunction {
    guard let aggregate = AggregateFunction(rawValue: name) else {
      throw PredicateBindingError("There is no operator \(name) here.", in: names)
    }
    guard (aggregate == .count) == (rest == nil) else {
      throw PredicateBindingError(
        aggregate == .count
          ? "Nothing can follow @count." : "\(name) must be followed by an attribute.", in: names)
    }
    return aggregate
  }

  /// Resolves an attribute; the name of a composite's element contains dots.
  ///
  /// - Parameter first: the name up to its first dot.
  private func attribute(
    _ name: String, from first: String, _ names: String, _ entity: EntityBinding
  ) throws(PredicateBindingError) -> PredicatePath.End {
    if let slot = entity.slotsByName[name], case .attribute(let attribute) = entity.slots[slot] {
      try refuse(transient: slot, names, entity)
      return .slot(slot, attribute.type)
    }
    guard !name.isEmpty else {
      throw PredicateBindingError("A key path has at least one name.", in: names)
    }
    if entity.slotsByName[first] != nil {
      let isLength = name == "\(first).length" && names.hasSuffix(".length")
      let hint = isLength ? " For its length, write length:(\(names.dropLast(7)))." : ""
      throw PredicateBindingError(
        "\(entity.name).\(first) is not a relationship.\(hint)", in: names)
    }
    throw PredicateBindingError("\(entity.name) has no property \(first).", in: names)
  }

  private func refuse(
    transient slot: Int, _ names: String, _ entity: EntityBinding
  ) throws(PredicateBindingError) {
    guard slot >= entity.storedSlotCount, !allowsTransient else { return }
    throw PredicateBindingError(
      "\(entity.name).\(entity.slots[slot].name) is transient: a store has no value to compare.",
      in: names)
  }
}

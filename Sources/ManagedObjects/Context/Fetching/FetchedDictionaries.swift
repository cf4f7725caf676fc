import DataModel
import SystemLibraries

/// Builds dictionaries from rows of values.
struct FetchedDictionaries {
  /// A value to fetch, bound to an entity.
  struct Column {
    let name: String
    let expression: BoundExpression
    let aggregate: ExpressionDescription.Aggregate?
    /// The type of the result; nil for that of the value.
    let type: AttributeDescription.AttributeType?
    /// Whether the column has floating-point numbers, which SQLite may store as integers.
    let isReal: Bool
    /// The entity of the objects whose keys are in the column; nil for values.
    let objects: EntityBinding?

    init(
      _ description: ExpressionDescription, _ binder: PredicateBinder
    ) throws(PredicateBindingError) {
      let scopes = PredicateBinder.Scopes(entities: [binder.entity])
      if let path = try binder.pathToMany(description.expression, scopes), !path.isOperation {
        let format = description.expression.format
        throw PredicateBindingError(
          """
          \(format) refers to many objects, but a column has one value: combine them with an \
          operator, as in \(path.exampleOfOperation(format)), or fetch objects.
          """, in: format)
      }
      let bound = try binder.value(description.expression, scopes)
      name = description.name
      expression = bound.expression
      aggregate = description.aggregate
      isReal = bound.type.map { SlotKind($0) == .real } ?? false
      if case .object(let root?) = bound.kind {
        objects = binder.bindings[root]
      } else {
        objects = nil
      }
      let own: AttributeDescription.AttributeType? =
        switch description.aggregate {
        case .count, .countDistinct: .integer64
        case .sum, .average: nil
        case .minimum, .maximum, nil: bound.type
        }
      type = description.expressionResultType ?? own
    }

    fileprivate func normalized(_ value: Scalar?) -> Scalar? {
      guard isReal, case .integer(let number)? = value else { return value }
      return .real(Double(number))
    }

    /// Replaces an object's key, which is unique within one store, by its URI; returns other values
    /// as is.
    fileprivate func naming(_ value: Scalar?) -> Scalar? {
      guard let objects, case .integer(let key)? = value else { return value }
      return .text(Array(ManagedObjectID(binding: objects, key: key).description.utf8))
    }

    fileprivate func result(_ value: Scalar?) -> AttributeValue? {
      guard let value else { return nil }
      guard objects != nil, aggregate == nil, case .text? = naming(value) else {
        return value.value(as: type)
      }
      return naming(value)?.value(as: .uri)
    }
  }

  /// The accumulated state of one group.
  private struct Group {
    /// The position of the first row.
    var position: Int64
    /// The values of the first row.
    var first: [Scalar?]
    var counts: [Int]
    var sums: [ExactSum]
    var best: [Scalar?]
    var different: [Set<DistinctValue>]

    init(_ first: [Scalar?], at position: Int64, columns: Int) {
      self.first = first
      self.position = position
      counts = Array(repeating: 0, count: columns)
      sums = Array(repeating: ExactSum(), count: columns)
      best = Array(repeating: nil, count: columns)
      different = Array(repeating: [], count: columns)
    }
  }

  let columns: [Column]
  let groups: [Column]
  let isDistinct: Bool
  private var rows: [(position: Int64, values: [Scalar?])] = []
  private var found: [Group] = []
  private var groupIndexes: [[DistinctValue]: Int] = [:]
  private var count: Int64 = 0
  /// Whether the only group, which has all rows, has no row yet.
  private var isUntouched = false

  init(columns: [Column], groups: [Column], isDistinct: Bool) {
    self.columns = columns
    self.groups = groups
    self.isDistinct = isDistinct
    if areGrouped, groups.isEmpty {
      // All rows form one group, even if there are none.
      isUntouched = true
      groupIndexes[[]] = 0
      let nothing = [Scalar?](repeating: nil, count: columns.count)
      found = [Group(nothing, at: 0, columns: columns.count)]
    }
  }

  /// The columns of a request, bound to an entity of one store.
  init<Result>(
    _ request: FetchRequest<Result>, _ binder: PredicateBinder
  ) throws(PredicateBindingError) {
    var columns: [Column] = []
    let properties =
      request.propertiesToFetch.isEmpty ? binder.entity.storedProperties : request.propertiesToFetch
    for property in properties { columns.append(try Column(property, binder)) }
    var groups: [Column] = []
    for name in request.propertiesToGroupBy {
      groups.append(try Column(ExpressionDescription(stringLiteral: name), binder))
    }
    self.init(columns: columns, groups: groups, isDistinct: request.returnsDistinctResults)
  }

  /// A row in which objects are represented by URIs.
  func naming(_ values: [Scalar?]) -> [Scalar?] {
    zip(columns + groups, values).map { $0.naming($1) }
  }

  var areGrouped: Bool { !groups.isEmpty || columns.contains { $0.aggregate != nil } }

  /// The expressions of a row: the columns' values, then those to group by.
  var expressions: [BoundExpression] { (columns + groups).map(\.expression) }

  /// Adds a row.
  ///
  /// - Parameter key: the primary key, if the rows are to be ordered by it; nil if they are to be
  ///   in the order in which they are added.
  mutating func add(_ values: [Scalar?], key: Int64?) {
    let values = zip(columns + groups, values).map { $0.normalized($1) }
    count += 1
    let position = key ?? count
    guard areGrouped else { return rows.append((position, values)) }
    let index = groupIndex(of: values, at: position)
    for (column, description) in columns.enumerated() {
      guard let aggregate = description.aggregate, let value = values[column] else { continue }
      found[index].counts[column] += 1
      switch aggregate {
      case .count: break
      case .countDistinct:
        found[index].different[column].insert(DistinctValue(value))
      case .sum, .average: found[index].sums[column].add(value)
      case .minimum, .maximum:
        let order = found[index].best[column].map { value.compare($0) }
        let isBetter = order.map { aggregate == .minimum ? $0 < 0 : $0 > 0 } ?? true
        if isBetter { found[index].best[column] = value }
      }
    }
  }

  /// The group of a row, created if this is its first row.
  private mutating func groupIndex(of values: [Scalar?], at position: Int64) -> Int {
    let names = values.dropFirst(columns.count).map { DistinctValue($0) }
    guard let index = groupIndexes[names] else {
      groupIndexes[names] = found.count
      found.append(Group(values, at: position, columns: columns.count))
      return found.count - 1
    }
    if isUntouched || position < found[index].position {
      (found[index].first, found[index].position) = (values, position)
    }
    isUntouched = false
    return index
  }

  /// The dictionaries, in the order of their first rows.
  mutating func finish() -> [[String: AttributeValue]] {
    found.sort { $0.position < $1.position }
    rows.sort { $0.position < $1.position }
    let results =
      areGrouped
      ? found.map { group in columns.indices.map { value($0, of: group) } }
      : rows.map { row in zip(columns, row.values).map { $0.result($1) } }
    var seen: Set<[DistinctValue]> = []
    var dictionaries: [[String: AttributeValue]] = []
    for values in results {
      if isDistinct {
        let row = values.map { DistinctValue($0.map { Scalar($0) }) }
        guard seen.insert(row).inserted else { continue }
      }
      var dictionary: [String: AttributeValue] = [:]
      for (column, value) in zip(columns, values) { dictionary[column.name] = value }
      dictionaries.append(dictionary)
    }
    return dictionaries
  }

  private func value(_ index: Int, of group: Group) -> AttributeValue? {
    let column = columns[index]
    switch column.aggregate {
    case nil: return column.result(group.first[index])
    case .count: return column.result(.integer(Int64(group.counts[index])))
    case .countDistinct: return column.result(.integer(Int64(group.different[index].count)))
    case .sum: return column.result(group.sums[index].sum)
    case .average:
      return group.counts[index] == 0 ? nil : column.result(group.sums[index].average)
    case .minimum, .maximum: return column.result(group.best[index])
    }
  }
}

extension PredicatePath {
  /// Whether it ends in an operator on a collection.
  fileprivate var isOperation: Bool {
    if case .operation = end { true } else { false }
  }

  /// A corrected key path, with a collection operator, for the error message.
  fileprivate func exampleOfOperation(_ format: String) -> String {
    guard case .slot = end, hops.isEmpty, let dot = format.lastIndex(of: ".") else {
      return "\(format).@count"
    }
    return "\(format[..<dot]).@max\(format[dot...])"
  }
}

extension EntityBinding {
  /// The attributes and to-ones that are stored.
  var storedProperties: [ExpressionDescription] {
    slots[..<storedSlotCount].compactMap { slot in
      switch slot {
      case .attribute(let attribute): ExpressionDescription(stringLiteral: attribute.name)
      case .toOne(let relationship): ExpressionDescription(stringLiteral: relationship.name)
      case .toOneEntity, .orderKey: nil
      }
    }
  }
}

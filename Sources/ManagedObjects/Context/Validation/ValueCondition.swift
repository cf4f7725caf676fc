import DataModel

/// A validation predicate of an attribute, read once.
struct ValueCondition {
  private let warning: String
  private let entity: EntityBinding
  /// The predicate, in which `SELF` stands for the value; or why it cannot be read.
  private let predicate: Result<FetchPredicate, PredicateFormatError>

  init(_ description: ValidationPredicate, of entity: EntityBinding) {
    warning = description.warning
    self.entity = entity
    predicate = Result { () throws(PredicateFormatError) in
      try FetchPredicate(format: description.format)
    }
  }

  /// Why a value cannot be the attribute's, or nil where it can.
  func reason(against value: AttributeValue) -> ValidationError.Failure.Reason? {
    do {
      return try isMet(by: value) ? nil : .refused(warning)
    } catch {
      // No rule is passed over.
      return .refused("\(warning) (It cannot be checked: \(error))")
    }
  }

  private func isMet(by value: AttributeValue) throws -> Bool {
    var name: String?
    let asked = try predicate.get().replacing { expression in
      if case .keyPath(let path) = expression.kind { name = path }
      return expression == .evaluatedObject ? .constant(value) : nil
    }
    if let name {
      throw PredicateBindingError(
        "A validation predicate looks at SELF, the value, and at no other property.", in: name)
    }
    // Nothing but constants is left to look at.
    let bound = try PredicateBinder(entity: entity, bindings: [entity]).bind(asked)
    let row = PackedRow.empty(slotCount: entity.slotCount)
    defer { row.free(slotCount: entity.slotCount) }
    return RowEvaluation(toOne: { _, _ in nil }, members: { _, _, _ in [] })
      .holds(bound, row, key: 0)
  }
}

import DataModel

/// A validation predicate of an attribute, parsed once.
struct ValueCondition {
  private let warning: String
  private let entity: EntityBinding
  /// The predicate, in which `SELF` stands for the value; or the error of parsing it.
  private let predicate: Result<FetchPredicate, PredicateFormatError>

  init(_ description: ValidationPredicate, of entity: EntityBinding) {
    warning = description.warning
    self.entity = entity
    predicate = Result { () throws(PredicateFormatError) in
      try FetchPredicate(format: description.format)
    }
  }

  /// The reason why a value is invalid for the attribute, or nil.
  func reason(against value: AttributeValue) -> ValidationError.Failure.Reason? {
    do {
      return try isMet(by: value) ? nil : .refused(warning)
    } catch {
      // A rule that cannot be evaluated is not ignored.
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
        "A validation predicate can use SELF, the value, but no other property.", in: name)
    }
    // Only constants are left to evaluate.
    let bound = try PredicateBinder(entity: entity, bindings: [entity]).bind(asked)
    let row = PackedRow.empty(slotCount: entity.slotCount)
    defer { row.free(slotCount: entity.slotCount) }
    return RowEvaluation(toOne: { _, _ in nil }, members: { _, _, _ in [] })
      .holds(bound, row, key: 0)
  }
}

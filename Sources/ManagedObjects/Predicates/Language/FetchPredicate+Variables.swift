import DataModel
public import SystemLibraries

extension FetchPredicate {
  /// The predicate with values substituted for variables.
  ///
  ///     let template = try FetchPredicate(format: "dog.name == $NAME AND duration > $LEAST")
  ///     let predicate = template.withSubstitutionVariables(["NAME": "Fido", "LEAST": 1800])
  ///
  /// The names are given without the `$`. A variable without a value is kept, and a fetch with it
  /// throws; the variable of a subquery is not affected. Follows Core Data's
  /// `withSubstitutionVariables(_:)`, which requires a value for each.
  public func withSubstitutionVariables(
    _ variables: [String: (any FetchPredicateArgument)?]
  ) -> FetchPredicate {
    replacing { expression in
      guard case .variable(let name) = expression.kind, let value = variables[name] else {
        return nil
      }
      return value?.predicateExpression ?? .constant(nil)
    }
  }

  /// The predicate with `now()` replaced by a date.
  ///
  /// For programs with a clock of their own; otherwise `now()` is the time at which the fetch
  /// begins.
  public func at(_ moment: Date) -> FetchPredicate {
    replacing { expression in
      guard case .function(.now, _) = expression.kind else { return nil }
      return .constant(.date(moment))
    }
  }

  /// The predicate with some expressions replaced; `replacement` returns nil to keep one.
  func replacing(_ replacement: (FetchExpression) -> FetchExpression?) -> FetchPredicate {
    switch kind {
    case .constant, .tooDeep: return self
    case .compare(var comparison):
      comparison.left = comparison.left.replacing(replacement)
      comparison.right = comparison.right.replacing(replacement)
      return .compare(comparison)
    case .all(let parts): return .all(parts.map { $0.replacing(replacement) })
    case .any(let parts): return .any(parts.map { $0.replacing(replacement) })
    case .not(let part): return .not(part.replacing(replacement))
    }
  }
}

extension FetchExpression {
  /// The expression with some parts replaced; `replacement` returns nil to keep one.
  func replacing(
    _ replacement: (FetchExpression) -> FetchExpression?
  ) -> FetchExpression {
    if let replaced = replacement(self) { return replaced }
    switch kind {
    case .constant, .object, .keyPath, .evaluatedObject, .variable, .tooDeep: return self
    case .aggregate(let values): return .aggregate(values.map { $0.replacing(replacement) })
    case .property(let base, let path):
      return base.replacing(replacement).property(path)
    case .function(let function, let arguments):
      let replaced = arguments.map { $0.replacing(replacement) }
      return .function(function, replaced)
    case .conditional(let condition, let one, let other):
      return .conditional(
        condition.replacing(replacement), one.replacing(replacement),
        other.replacing(replacement))
    case .element(let base, let index): return .element(of: base.replacing(replacement), index)
    case .subquery(let collection, let variable, let condition):
      let condition = condition.replacing { expression in
        expression == .variable(variable) ? nil : replacement(expression)
      }
      return .subquery(collection.replacing(replacement), variable: variable, condition)
    }
  }
}

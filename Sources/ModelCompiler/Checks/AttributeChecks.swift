import DataModel
import SystemLibraries
import TextMatching

/// Checks the types of attributes, their defaults and their validation rules.
enum AttributeChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    for entity in model.entities {
      for attribute in entity.attributes {
        check(attribute, named: "\(entity.name).\(attribute.name)", &log)
        checkDerivation(of: attribute, of: entity, in: model, &log)
      }
    }
    for composite in model.composites {
      for attribute in composite.elements {
        check(attribute, named: "\(composite.name).\(attribute.name)", &log)
      }
    }
  }

  private static func check(
    _ attribute: SourceAttribute, named fullName: String, _ log: inout DiagnosticLog
  ) {
    if attribute.type == .undefined, !attribute.isTransient {
      log.error("the attribute '\(fullName)' has no type", at: attribute.location)
    }
    if let text = attribute.defaultValue {
      switch text.reading {
      case .value: checkDefault(of: attribute, named: fullName, &log)
      case .problem(let reason):
        // Xcode keeps the old default when a type is changed, and there are apps with such models.
        log.warning(
          "the default '\(text.text)' of '\(fullName)' \(reason); it is left out",
          at: attribute.location)
      case .leftover:
        log.warning(
          "the default '\(text.text)' of '\(fullName)' is left out: attributes of this type have "
            + "none",
          at: attribute.location)
      }
    }
    for (word, bound) in [("minimum", attribute.minimum), ("maximum", attribute.maximum)] {
      guard let bound, case .problem(let reason) = bound.reading else { continue }
      log.warning(
        "the \(word) '\(bound.text)' of '\(fullName)' \(reason); it is ignored",
        at: attribute.location)
    }
    if let low = attribute.minimum?.value?.number, let high = attribute.maximum?.value?.number,
      low > high
    {
      log.warning(
        "the minimum of '\(fullName)' is above its maximum: no value can be saved",
        at: attribute.location)
    }
    if let pattern = attribute.regularExpression,
      (try? RegularExpression(pattern)) == nil
    {
      log.warning(
        "the regular expression '\(pattern)' of '\(fullName)' cannot be read",
        at: attribute.location)
    }
  }

  /// Checks a default against the bounds; the value may still be changed before the first save.
  private static func checkDefault(
    of attribute: SourceAttribute, named fullName: String, _ log: inout DiagnosticLog
  ) {
    guard let text = attribute.defaultValue, let value = text.value?.boundedNumber else { return }
    let what = attribute.type == .string ? "the default's length" : "the default"
    if let low = attribute.minimum?.value?.number, value < low {
      log.warning(
        "\(what) of '\(fullName)' is out of bounds: '\(text.text)' is below the minimum "
          + "'\(attribute.minimum?.text ?? "")'",
        at: attribute.location)
    }
    if let high = attribute.maximum?.value?.number, value > high {
      log.warning(
        "\(what) of '\(fullName)' is out of bounds: '\(text.text)' is above the maximum "
          + "'\(attribute.maximum?.text ?? "")'",
        at: attribute.location)
    }
  }

  private static func checkDerivation(
    of attribute: SourceAttribute, of entity: SourceEntity, in model: SourceModel,
    _ log: inout DiagnosticLog
  ) {
    guard attribute.isDerived else { return }
    guard let expression = attribute.derivationExpression else {
      log.error(
        "the attribute '\(entity.name).\(attribute.name)' is derived, but has no expression",
        at: attribute.location)
      return
    }
    do throws(Derivation.Problem) {
      try Derivation(expression).check(for: attribute.type, of: entity.name) { entity, name in
        model.property(name, of: entity)
      }
    } catch {
      log.warning(
        "the expression '\(expression)' of '\(entity.name).\(attribute.name)' "
          + "\(error.description); stores refuse it",
        at: attribute.location)
    }
  }
}

extension SourceModel {
  /// Returns a property in a derivation's key path; nil if the entity has none with this name.
  fileprivate func property(_ name: String, of entity: String) -> Derivation.Property? {
    guard let entity = entitiesByName[entity] else { return nil }
    for entity in lineage(of: entity) {
      if let attribute = entity.attributes.first(where: { $0.name == name }) {
        return .attribute(attribute.type, isStored: !attribute.isTransient)
      }
      if let relationship = entity.relationships.first(where: { $0.name == name }) {
        let destination = relationship.destinationName ?? ""
        return relationship.isToMany ? .toMany(destination) : .toOne(destination)
      }
    }
    return nil
  }
}

extension AttributeValue {
  /// The value as a number, if it is one; dates are seconds.
  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .double(let double): double
    case .decimal(let decimal): Double(decimal.description)
    case .date(let date): date.timeIntervalSinceReferenceDate
    case .boolean, .string, .binary, .uuid, .uri: nil
    }
  }

  /// The number that bounds are compared with: the value, or the length of a string.
  fileprivate var boundedNumber: Double? {
    if case .string(let text) = self { Double(text.utf16.count) } else { number }
  }
}

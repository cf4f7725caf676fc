import DataModel

/// Checks the elements of composite attributes.
enum CompositeChecks {
  /// The maximum number of attributes in a composite; each is a column of the store.
  private static let limit = 1_000

  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    checkTypes(model, &log)
    var counter = Counter(model: model)
    for entity in model.entities {
      for attribute in entity.attributes where attribute.type == .composite {
        let fullName = "'\(entity.name).\(attribute.name)'"
        guard let elements = model.elements(of: attribute), !elements.isEmpty else {
          log.error(
            "the composite attribute \(fullName) does not say what it is made of",
            at: attribute.location)
          continue
        }
        if counter.count(of: attribute, depth: 0) > limit {
          log.error(
            "the composite attribute \(fullName) contains itself, or has more than "
              + "\(limit) attributes",
            at: attribute.location)
        }
      }
    }
  }

  private static func checkTypes(_ model: SourceModel, _ log: inout DiagnosticLog) {
    var seen: Set<String> = []
    for composite in model.composites {
      if !composite.name.isEmpty, !seen.insert(composite.name).inserted {
        log.error("there is a composite '\(composite.name)' already", at: composite.location)
      }
      var names: Set<String> = []
      for element in composite.elements where !element.name.isEmpty {
        let fullName = "\(composite.name).\(element.name)"
        if !NameChecks.isIdentifier(element.name) {
          log.error(
            "the element '\(fullName)' must be named with letters, digits and underscores",
            at: element.location)
        }
        if !names.insert(element.name).inserted {
          log.error("there is an element '\(fullName)' already", at: element.location)
        }
      }
      for element in composite.elements where element.type == .composite {
        if model.elements(of: element)?.isEmpty != false {
          log.error(
            "the composite attribute '\(composite.name).\(element.name)' does not say what it is "
              + "made of",
            at: element.location)
        }
      }
    }
  }

  /// Counts the attributes in composites, and each composite type only once.
  ///
  /// Otherwise deeply nested types would take exponential time.
  private struct Counter {
    let model: SourceModel
    private var counts: [String: Int] = [:]

    init(model: SourceModel) {
      self.model = model
    }

    /// Returns the number of attributes in one; above the limit if it contains itself.
    mutating func count(of attribute: SourceAttribute, depth: Int) -> Int {
      guard attribute.type == .composite else { return 1 }
      guard depth < 64 else { return limit + 1 }
      if !attribute.elements.isEmpty { return sum(attribute.elements, depth: depth) }
      guard let type = model.compositeType(of: attribute) else { return 0 }
      if let known = counts[type.name] { return known }
      // A type that is reached again while it is counted contains itself.
      counts[type.name] = limit + 1
      let count = sum(type.elements, depth: depth)
      counts[type.name] = count
      return count
    }

    private mutating func sum(_ elements: [SourceAttribute], depth: Int) -> Int {
      var sum = 0
      for element in elements { sum = min(sum + count(of: element, depth: depth + 1), limit + 1) }
      return sum
    }
  }
}

import DataModel

/// An entity in an XML store: its name in upper case, those of its properties in lower case.
///
/// Created once per document, since changing case takes time.
final class XMLEntityNames {
  let entity: EntityBinding
  let name: String
  /// The properties by their names in the document.
  let properties: [String: DocumentProperty]
  /// The order in which properties are written; attributes first.
  private(set) var order: [String]
  /// Whether the order was taken from the document.
  private var isLearned = false

  init(_ entity: EntityBinding) {
    self.entity = entity
    name = entity.name.uppercased()
    let stored = DocumentProperty.all(of: entity)
    properties = Dictionary(stored.map { ($0.name.lowercased(), $0) }) { one, _ in one }
    order = stored.map { $0.name.lowercased() }
  }

  /// Why entities or properties of a model have the same names in a document; nil if all differ.
  static func problem(with bindings: [EntityBinding]) -> String? {
    var names: [String: String] = [:]
    for entity in bindings {
      if let other = names.updateValue(entity.name, forKey: entity.name.uppercased()) {
        return "An XML store cannot tell the entities \(other) and \(entity.name) apart."
      }
      var propertyNames: [String: String] = [:]
      for name in DocumentProperty.all(of: entity).map(\.name) {
        if let other = propertyNames.updateValue(name, forKey: name.lowercased()) {
          return
            "An XML store cannot tell \(entity.name).\(other) and \(entity.name).\(name) apart."
        }
      }
    }
    return nil
  }

  // MARK: Order

  /// Adopts the order in which an object in the document has its properties.
  func learn(_ names: [String]) {
    guard !isKeptBy(names) else { return }
    // Properties that this object lacks stay after their predecessor.
    var following: [String: [String]] = [:]
    let known = Set(names)
    var leading: [String] = []
    var last: String?
    for name in order {
      if known.contains(name) {
        last = name
      } else if isLearned, let last {
        following[last, default: []].append(name)
      } else {
        leading.append(name)
      }
    }
    let learned = names.filter { properties[$0] != nil }
    let before = isLearned ? leading : []
    var result = before + learned.flatMap { [$0] + (following[$0] ?? []) }
    if !isLearned { result += leading }
    // Attributes precede relationships, wherever they were inserted.
    order =
      result.filter { properties[$0]?.relationship == nil }
      + result.filter { properties[$0]?.relationship != nil }
    isLearned = true
  }

  /// Whether the current order is consistent with that of an object.
  private func isKeptBy(_ names: [String]) -> Bool {
    guard isLearned else { return false }
    var rest = order[...]
    for name in names where properties[name] != nil {
      guard let index = rest.firstIndex(of: name) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }
}

@available(*, unavailable) extension XMLEntityNames: Sendable {}

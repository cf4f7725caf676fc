import DataModel
import SystemLibraries

/// A key path whose values are the names of sections.
///
/// It leads through to-ones to an attribute, possibly an element of a composite, or to a key for
/// which the class of the destination overrides `value(forUndefinedKey:)`.
struct SectionNameKeyPath {
  /// Its keys, in their order.
  let keys: [String]
  /// The rest of the path from each key on: `dog.name`, `name`.
  private let rests: [String]

  init(_ keyPath: String) {
    let keys = keyPath.split(separator: ".").map(String.init)
    self.keys = keys
    rests = keys.indices.map { keys[$0...].joined(separator: ".") }
  }

  /// Whether the names are values of attributes; the dependencies of other keys are unknown.
  func leadsToAttribute(from entity: EntityBinding, in context: ManagedObjectContext) -> Bool {
    let path = entity.pathThroughToOnes(keys, in: context)
    guard path.count < keys.count else { return false }
    let end = path.last.map { context.binding(at: $0.destination) } ?? entity
    guard let slot = end.slotsByName[rests[path.count]], case .attribute = end.slots[slot] else {
      return false
    }
    return true
  }

  /// The value at the path as text; empty if there is none.
  func name(of object: ManagedObject) -> String {
    var object = object
    for (key, rest) in zip(keys, rests) {
      let binding = object._entity.binding
      guard key != rest, let slot = binding.slotsByName[key], binding.toOnesBySlot[slot] != nil
      else { return name(of: object, at: rest, from: key) }
      guard let next = object.toOne(slot) else { return "" }
      object = next
    }
    return ""
  }

  /// The value at a path as text, whose first key is not a to-one to follow.
  private func name(of object: ManagedObject, at keyPath: String, from key: String) -> String {
    let binding = object._entity.binding
    // An element of a composite has dots in its name.
    if let slot = binding.slotsByName[keyPath], case .attribute(let attribute) = binding.slots[slot]
    {
      guard !attribute.isTransformed, let value = object.row.value(at: slot, type: attribute.type)
      else { return Self.text(of: object.value(forKey: keyPath)) }
      if attribute.type == .float, case .double(let number) = value {
        return Float(number).sectionName
      }
      return value.sectionName
    }
    guard binding.property(key) == nil else {
      fatalError("\(binding.name) has no \(keyPath == key ? "attribute" : "to-one") \(key).")
    }
    return Self.text(of: object.value(forKeyPath: keyPath))
  }

  /// A value of any type as text.
  private static func text(of value: Any?) -> String {
    guard let value = flattened(value) else { return "" }
    // Converted to Double it would have more digits.
    if let number = value as? Float { return number.sectionName }
    return AttributeValue(value)?.sectionName ?? "\(value)"
  }
}

extension AttributeValue {
  /// The value as a section's name.
  fileprivate var sectionName: String {
    switch self {
    case .string(let text): text
    case .integer(let number): number.description
    case .boolean(let flag): flag ? "1" : "0"
    case .double(let number): number.sectionName
    case .decimal(let number): number.description
    case .date(let date): date.timeIntervalSinceReferenceDate.description
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .binary(let data): data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}

extension BinaryFloatingPoint {
  /// The number as a section's name, as `NSNumber` describes it: 0.5, and 4 without a fraction.
  fileprivate var sectionName: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

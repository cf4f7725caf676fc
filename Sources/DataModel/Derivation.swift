/// The derivation of a derived attribute's value, parsed from its expression.
///
///     try Derivation("walks.distance.@sum").path   // ["walks", "distance"]
///
/// Supports the same as Core Data: a path of to-ones to an attribute, such a path to a string
/// within `canonical:`, `uppercase:` or `lowercase:`, an operator after a to-many, and `now()`.
package struct Derivation: Sendable, Equatable {
  /// A function of a single string.
  package enum TextFunction: String, Sendable, CaseIterable {
    /// The string in the normalised form used for comparisons: `canonical:`.
    case canonical
    /// In upper case: `uppercase:`.
    case uppercase
    /// In lower case: `lowercase:`.
    case lowercase
  }

  /// A function of the members of a to-many.
  package enum Aggregate: String, Sendable, CaseIterable {
    /// The number of members, `@count`.
    case count
    /// The sum of the values, `@sum`.
    case sum
    /// The minimum, `@min`.
    case min
    /// The maximum, `@max`.
    case max
    /// The mean of the values, `@avg` or `@average`.
    case average = "avg"

    fileprivate init?(operator name: Substring) {
      self.init(rawValue: name == "average" ? "avg" : String(name))
    }
  }

  /// The forms of a derivation.
  package enum Form: Sendable, Equatable {
    /// The time at which the row was saved.
    case now
    /// The value at a path, unchanged or with a function applied.
    case value(TextFunction?)
    /// An aggregate of the members of a to-many.
    case aggregate(Aggregate)
  }

  /// The form of the derivation.
  package let form: Form
  /// The names of the properties on the path; empty for `now()`.
  package let path: [String]

  /// Why an expression is not supported: the rest of a sentence that begins with it.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// Parses an expression of a model.
  ///
  /// - Throws: `Problem` if it is not supported.
  package init(_ text: String) throws(Problem) {
    guard let open = text.firstIndex(of: "(") else {
      (form, path) = try Self.readPath(text)
      return
    }
    var name = text[..<open]
    let inner = text[text.index(after: open)...]
    guard inner.last == ")" else { throw Problem("cannot be read") }
    let argument = inner.dropLast()
    if name == "now" || name == "now:" {
      guard argument.isEmpty else {
        throw Problem("passes arguments to now(), which takes none")
      }
      (form, path) = (.now, [])
      return
    }
    if name.last == ":" { name.removeLast() }
    path = try Self.names(String(argument))
    if let function = TextFunction(rawValue: String(name)) {
      form = .value(function)
    } else if let aggregate = Aggregate(operator: name) {
      form = .aggregate(aggregate)
    } else {
      throw Problem(
        "has an unknown function '\(name)': there are canonical:, uppercase:, lowercase: and now()")
    }
  }

  private static func readPath(_ text: String) throws(Problem) -> (Form, [String]) {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let index = parts.firstIndex(where: { $0.hasPrefix("@") }) else {
      return (.value(nil), try names(text))
    }
    let name = parts[index].dropFirst()
    guard let aggregate = Aggregate(operator: name) else {
      throw Problem(
        "has an unknown operator '@\(name)': there are @count, @sum, @min, @max and @avg")
    }
    guard index == parts.count - 1 else {
      throw Problem(
        "has the operator '@\(name)' within the path: it must come last, as in walks.distance.@sum")
    }
    parts.removeLast()
    return (.aggregate(aggregate), try names(parts.joined(separator: ".")))
  }

  private static func names(_ path: String) throws(Problem) -> [String] {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isPartOfName) }) else {
      throw Problem("cannot be read")
    }
    return names
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

// MARK: Within a model

extension Derivation {
  /// The property that a name on the path refers to.
  package enum Property: Sendable {
    /// An attribute, its type if it is known, and whether it has a column.
    case attribute(AttributeDescription.AttributeType?, isStored: Bool)
    /// A to-one relationship, and its destination entity.
    case toOne(String)
    /// A to-many relationship, and its destination entity.
    case toMany(String)
  }

  /// Checks that the path is valid in a model, and that the types fit.
  ///
  /// - Parameters:
  ///   - type: the type of the derived attribute.
  ///   - entity: the entity that it belongs to.
  ///   - property: returns a property of an entity, including inherited ones; nil if there is
  ///     none.
  /// - Throws: `Problem` with the first error.
  package func check(
    for type: AttributeDescription.AttributeType?, of entity: String,
    _ property: (_ entity: String, _ name: String) -> Property?
  ) throws(Problem) {
    guard form != .now else {
      guard type == nil || type == .date else {
        throw Problem("returns a date, but the attribute is not a Date")
      }
      return
    }
    var current = entity
    var rest = path[...]
    var found: Property?
    while let name = rest.popFirst() {
      guard let next = property(current, name) else {
        throw Problem("refers to '\(name)', but '\(current)' has no such property")
      }
      found = next
      switch next {
      case .attribute:
        guard rest.isEmpty else { throw Problem("continues after the attribute '\(name)'") }
      case .toOne(let destination): current = destination
      case .toMany(let destination):
        guard case .aggregate = form else {
          throw Problem("goes through the to-many '\(name)' without an operator")
        }
        guard rest.count == path.count - 1 else {
          throw Problem("has the to-many '\(name)' after another relationship")
        }
        current = destination
      }
    }
    try check(end: found, isList: property(entity, path[0]), count: path.count)
    if case .value(_?) = form, let type, type != .string {
      throw Problem("returns a string, but the attribute is not a String")
    }
  }

  private func check(
    end: Property?, isList first: Property?, count: Int
  ) throws(Problem) {
    switch (form, end) {
    case (.aggregate(.count), .toMany): return
    case (.aggregate(.count), _): throw Problem("counts something that is not a to-many")
    case (.aggregate(let aggregate), .attribute(let type, isStored: true)):
      guard case .toMany? = first, count == 2 else {
        throw Problem("needs a to-many and an attribute of its members")
      }
      guard type?.isNumeric != false || aggregate == .min || aggregate == .max else {
        throw Problem("applies @\(aggregate.rawValue) to an attribute that is not a number")
      }
    case (.aggregate, _): throw Problem("needs a to-many and an attribute of its members")
    case (.value(let function), .attribute(let type, isStored: true)):
      guard function == nil || type == nil || type == .string else {
        throw Problem("applies \(function?.rawValue ?? ""): to an attribute that is not a String")
      }
    case (.value, .attribute): throw Problem("refers to an attribute that is not stored")
    case (.value, _), (.now, _): throw Problem("refers to no attribute")
    }
  }
}

extension AttributeDescription.AttributeType {
  /// Whether values are numbers that can be added.
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }
}

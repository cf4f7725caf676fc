import DataModel

/// Writes the methods that change a to-many relationship, named as Xcode names them.
struct ToManyWriter {
  private let relationship: RelationshipDescription
  private let handwrittenMembers: Set<String>
  private let className: String
  private let memberClass: String
  private let slot: String

  init(
    _ relationship: RelationshipDescription, without handwrittenMembers: Set<String>,
    className: String, memberClass: String, slot: String
  ) {
    self.relationship = relationship
    self.handwrittenMembers = handwrittenMembers
    self.className = className
    self.memberClass = memberClass
    self.slot = slot
  }

  func write(to out: inout SwiftText) {
    let methods = ((relationship.isOrdered ? positionMethods : []) + memberMethods)
      .filter { !handwrittenMembers.contains(String($0.signature.prefix { $0 != "(" })) }
    if methods.isEmpty { return }
    out.line("// MARK: Generated accessors for \(relationship.name)")
    out.emptyLine()
    out.block("nonisolated extension \(className) {") { out in
      for (index, method) in methods.enumerated() {
        if index > 0 { out.emptyLine() }
        out.documentation(method.documentation)
        out.block("public func \(method.signature) {") { out in out.line(method.body) }
      }
    }
  }

  private struct Method {
    var documentation: String
    var signature: String
    var body: String

    init(_ documentation: String, _ signature: String, _ body: String) {
      self.documentation = documentation
      self.signature = signature
      self.body = body
    }
  }

  /// `Walks` of `insertIntoWalks`.
  private var suffix: String { SwiftName.capitalized(relationship.name) }

  /// What only an ordered relationship has.
  private var positionMethods: [Method] {
    let name = "`\(relationship.name)`"
    return [
      Method(
        "Puts an object into \(name), before the one that stands at an index now.",
        "insertInto\(suffix)(_ value: \(memberClass), at idx: Int)",
        "insert(value, at: idx, into: \(slot))"),
      Method(
        "Takes the object at an index out of \(name).",
        "removeFrom\(suffix)(at idx: Int)",
        "remove(at: idx, from: \(slot))"),
      Method(
        "Puts objects into \(name) so that they then stand at the indexes given.",
        "insertInto\(suffix)(_ values: [\(memberClass)], at indexes: RangeSet<Int>)",
        "insert(values, at: indexes, into: \(slot))"),
      Method(
        "Takes the objects at some indexes out of \(name).",
        "removeFrom\(suffix)(at indexes: RangeSet<Int>)",
        "remove(at: indexes, from: \(slot))"),
      Method(
        "Puts an object in the place of the one at an index of \(name).",
        "replace\(suffix)(at idx: Int, with value: \(memberClass))",
        "replace(at: idx, with: value, in: \(slot))"),
      Method(
        "Puts objects in the places of those at some indexes of \(name).",
        "replace\(suffix)(at indexes: RangeSet<Int>, with values: [\(memberClass)])",
        "replace(at: indexes, with: values, in: \(slot))"),
    ]
  }

  /// What every to-many has.
  private var memberMethods: [Method] {
    let name = "`\(relationship.name)`"
    let collection = relationship.isOrdered ? "OrderedSet" : "Set"
    let place = relationship.isOrdered ? ", at the end" : ""
    return [
      Method(
        "Adds an object to \(name)\(place).",
        "addTo\(suffix)(_ value: \(memberClass))",
        "add(value, to: \(slot))"),
      Method(
        "Takes an object out of \(name).",
        "removeFrom\(suffix)(_ value: \(memberClass))",
        "remove(value, from: \(slot))"),
      Method(
        "Adds objects to \(name)\(place).",
        "addTo\(suffix)(_ values: \(collection)<\(memberClass)>)",
        "add(values, to: \(slot))"),
      Method(
        "Takes objects out of \(name).",
        "removeFrom\(suffix)(_ values: \(collection)<\(memberClass)>)",
        "remove(values, from: \(slot))"),
    ]
  }
}

import DataModel

/// Writes the methods that change a to-many relationship, with the same names as in Xcode.
struct ToManyWriter {
  private let relationship: RelationshipDescription
  private let style: AccessorStyle
  private let handwrittenMembers: Set<String>
  private let className: String
  private let memberClass: String
  private let slot: String

  init(
    _ relationship: RelationshipDescription, style: AccessorStyle,
    without handwrittenMembers: Set<String>, className: String, memberClass: String, slot: String
  ) {
    self.relationship = relationship
    self.style = style
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

  /// The suffix of method names, such as `Walks` in `insertIntoWalks`.
  private var suffix: String { SwiftName.capitalized(relationship.name) }

  /// The type of a parameter for several indexes, and the expression that converts it.
  private var indexes: String { style == .swift ? "RangeSet<Int>" : "NSIndexSet" }
  private var rangeSet: String { style == .swift ? "indexes" : "RangeSet(indexes)" }

  /// The methods for ordered relationships only.
  private var positionMethods: [Method] {
    let name = "`\(relationship.name)`"
    return [
      Method(
        "Inserts an object into \(name) at an index.",
        "insertInto\(suffix)(_ value: \(memberClass), at idx: Int)",
        "insert(value, at: idx, into: \(slot))"),
      Method(
        "Removes the object at an index from \(name).",
        "removeFrom\(suffix)(at idx: Int)",
        "remove(at: idx, from: \(slot))"),
      Method(
        "Inserts objects into \(name), after which they have the given indexes.",
        "insertInto\(suffix)(_ values: [\(memberClass)], at indexes: \(indexes))",
        "insert(values, at: \(rangeSet), into: \(slot))"),
      Method(
        "Removes the objects at the given indexes from \(name).",
        "removeFrom\(suffix)(at indexes: \(indexes))",
        "remove(at: \(rangeSet), from: \(slot))"),
      Method(
        "Replaces the object at an index of \(name).",
        "replace\(suffix)(at idx: Int, with value: \(memberClass))",
        "replace(at: idx, with: value, in: \(slot))"),
      Method(
        "Replaces the objects at the given indexes of \(name).",
        "replace\(suffix)(at indexes: \(indexes), with values: [\(memberClass)])",
        "replace(at: \(rangeSet), with: values, in: \(slot))"),
    ]
  }

  /// The methods for all to-many relationships.
  private var memberMethods: [Method] {
    let name = "`\(relationship.name)`"
    let collection = style.collection(of: memberClass, isOrdered: relationship.isOrdered)
    let place = relationship.isOrdered ? ", at the end" : ""
    return [
      Method(
        "Adds an object to \(name)\(place).",
        "addTo\(suffix)(_ value: \(memberClass))",
        "add(value, to: \(slot))"),
      Method(
        "Removes an object from \(name).",
        "removeFrom\(suffix)(_ value: \(memberClass))",
        "remove(value, from: \(slot))"),
      Method(
        "Adds objects to \(name)\(place).",
        "addTo\(suffix)(_ values: \(collection))",
        "add(values, to: \(slot))"),
      Method(
        "Removes objects from \(name).",
        "removeFrom\(suffix)(_ values: \(collection))",
        "remove(values, from: \(slot))"),
    ]
  }
}

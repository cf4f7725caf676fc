import DataModel

/// Writes the output of Xcode's "Create NSManagedObject Subclass".
///
/// This is the class, if the model wants it generated, and an accessor for each property.
struct ClassWriter {
  private let written: WrittenClass

  init(_ written: WrittenClass) {
    self.written = written
  }

  func write(to out: inout SwiftText) {
    if written.isDefined {
      let names = written.entityNames.map { "`\($0)`" }.joined(separator: ", ")
      let entity = written.entityNames.count == 1 ? "the entity" : "one of the entities"
      out.emptyLine()
      out.documentation("An object of \(entity) \(names).")
      writeDefinition(to: &out)
    }
    writeRequest(to: &out)
    if !written.properties.isEmpty {
      out.emptyLine()
      out.block("nonisolated extension \(written.swiftName) {") { out in
        for (index, property) in written.properties.enumerated() {
          if index > 0 { out.emptyLine() }
          write(property, to: &out)
        }
      }
    }
    for case .relationship(let relationship) in written.properties where relationship.isToMany {
      out.emptyLine()
      ToManyWriter(
        relationship, style: written.style, without: written.handwrittenMembers,
        className: written.swiftName,
        memberClass: written.className(ofEntity: relationship.destinationEntityName),
        slot: written.slot(of: relationship.name, isToMany: true)
      ).write(to: &out)
    }
  }

  private func writeDefinition(to out: inout SwiftText) {
    let head = "nonisolated public class \(written.swiftName): \(written.superclassName)"
    // A handwritten superclass declares this itself.
    guard written.overridesNothing else { return out.line(head + " {}") }
    out.block(head + " {") { out in
      out.documentation("None; all for a subclass that does not override this property.")
      out.block("public override class var overriddenMethods: OverriddenMethods {") { out in
        out.line("self == \(written.swiftName).self ? [] : .all")
      }
    }
  }

  /// Xcode writes this into each class, while the library has one for all classes.
  private func writeRequest(to out: inout SwiftText) {
    guard written.style == .coreData, written.entityNames.count == 1,
      !written.handwrittenMembers.contains("fetchRequest")
    else { return }
    let type = "NSFetchRequest<\(written.swiftName)>"
    out.emptyLine()
    out.block("nonisolated extension \(written.swiftName) {") { out in
      out.documentation("A request for all objects of the entity `\(written.entityNames[0])`.")
      out.block("public class func fetchRequest() -> \(type) {") { out in
        out.line("\(type)(entityName: \(SwiftLiteral.string(written.entityNames[0])))")
      }
    }
  }

  private func write(_ property: PropertyDescription, to out: inout SwiftText) {
    switch property {
    case .attribute(let attribute) where attribute.type == .composite:
      CompositeWriter(attribute, in: written).write(to: &out)
    case .attribute(let attribute):
      AttributeAccessor(
        attribute, slot: written.slot(of: attribute.name), style: written.style
      ).write(to: &out)
    case .relationship(let relationship):
      write(relationship, to: &out)
    case .fetchedProperty(let property):
      let entityName = property.fetchRequest.entityName
      out.accessor(
        property.name, "[\(written.className(ofEntity: entityName))]",
        "The fetched property `\(property.name)`: what its request finds of `\(entityName)`.",
        get: "fetchedProperty(\(SwiftLiteral.string(property.name)))")
    }
  }

  private func write(_ relationship: RelationshipDescription, to out: inout SwiftText) {
    let slot = written.slot(of: relationship.name, isToMany: relationship.isToMany)
    let destination = written.className(ofEntity: relationship.destinationEntityName)
    let inverse = relationship.inverseName.map {
      "; its inverse is `\(relationship.destinationEntityName).\($0)`"
    }
    let (type, accessor) =
      switch (relationship.isToMany, relationship.isOrdered) {
      case (false, _): (destination + "?", "toOne")
      case (true, let isOrdered):
        toMany(of: destination, isOrdered: isOrdered)
      }
    out.accessor(
      relationship.name, type, "The relationship `\(relationship.name)`\(inverse ?? "").",
      get: "\(accessor)(at: \(slot))",
      set: "set\(SwiftName.capitalized(accessor))(newValue, at: \(slot))")
  }
}

extension ClassWriter {
  private func toMany(of destination: String, isOrdered: Bool) -> (type: String, accessor: String) {
    let type = written.style.collection(of: destination, isOrdered: isOrdered)
    return switch (written.style, isOrdered) {
    case (.swift, true): (type, "orderedToMany")
    case (.swift, false): (type, "unorderedToMany")
    case (.coreData, true): (type + "?", "foundationOrderedSet")
    case (.coreData, false): (type + "?", "foundationSet")
    }
  }
}

extension SwiftText {
  /// Adds a computed property, which is read-only without a setter.
  mutating func accessor(
    _ name: String, _ type: String, _ documentation: String, get: String, set: String? = nil
  ) {
    self.documentation(documentation)
    block("public var \(SwiftName.escaped(name)): \(type) {") { out in
      guard let set else {
        out.line(get)
        return
      }
      out.line("get { \(get) }")
      out.line("set { \(set) }")
    }
  }
}

import DataModel

/// Writes what Xcode's "Create NSManagedObject Subclass" writes for an entity: the class, where the
/// model wants it, and an accessor a property.
struct EntityWriter {
  private let source: SourceEntity
  private let entity: EntityDescription
  private let className: String
  private let model: ManagedObjectModel
  private let layout: SlotLayout

  /// Prepares an entity; nil where the model wants nothing written for it.
  init?(_ source: SourceEntity, in version: CompiledModel.Version) {
    guard source.codeGeneration != .manual, let className = source.className,
      let entity = version.model.entitiesByName[source.name]
    else { return nil }
    self.source = source
    self.entity = entity
    self.className = className
    model = version.model
    layout = SlotLayout(of: entity, in: version.model)
  }

  func write(to out: inout SwiftText) {
    if source.codeGeneration == .classDefinition {
      out.emptyLine()
      out.documentation("An object of the entity `\(entity.name)`.")
      out.line("public class \(className): \(superclassName) {}")
    }
    if !entity.properties.isEmpty {
      out.emptyLine()
      out.block("extension \(className) {") { out in
        writeProperties(to: &out)
      }
    }
    for relationship in entity.relationships where relationship.isToMany {
      out.emptyLine()
      ToManyWriter(
        relationship, className: className, memberClass: destinationClass(of: relationship),
        slot: slot(of: relationship)
      ).write(to: &out)
    }
  }

  private var superclassName: String {
    let parent = entity.superentityName.flatMap { model.entitiesByName[$0] }
    return parent?.managedObjectClassName ?? EntityDescription.plainClassName
  }

  private func writeProperties(to out: inout SwiftText) {
    for (index, property) in entity.properties.enumerated() {
      if index > 0 { out.emptyLine() }
      switch property {
      case .attribute(let attribute): write(attribute, to: &out)
      case .relationship(let relationship): write(relationship, to: &out)
      }
    }
  }

  private func write(_ attribute: AttributeDescription, to out: inout SwiftText) {
    let slot = slot(of: attribute)
    let type = attribute.swiftType
    if attribute.readsNilAsZero {
      let zero = attribute.type == .boolean ? "false" : "zero"
      write(
        attribute.name, type, "The attribute `\(attribute.name)`; \(zero) where it has no value.",
        get: "scalarValue(at: \(slot))", set: "setRequiredValue(newValue, at: \(slot))", to: &out)
    } else if attribute.isOptional {
      write(
        attribute.name, type + "?", "The attribute `\(attribute.name)`; nil where it has no value.",
        get: "optionalValue(at: \(slot))", set: "setOptionalValue(newValue, at: \(slot))",
        to: &out)
    } else {
      let note = attribute.defaultValue == nil ? "; reading it before it is set traps" : ""
      write(
        attribute.name, type, "The attribute `\(attribute.name)`, which must have a value\(note).",
        get: "requiredValue(at: \(slot))", set: "setRequiredValue(newValue, at: \(slot))",
        to: &out)
    }
  }

  private func write(_ relationship: RelationshipDescription, to out: inout SwiftText) {
    let slot = slot(of: relationship)
    let destination = destinationClass(of: relationship)
    let inverse = relationship.inverseName.map {
      "; `\(relationship.destinationEntityName).\($0)` leads back"
    }
    let documentation = "The relationship `\(relationship.name)`\(inverse ?? "")."
    let (type, accessor) =
      switch (relationship.isToMany, relationship.isOrdered) {
      case (false, _): (destination + "?", "toOne")
      case (true, true): ("OrderedSet<\(destination)>", "orderedToMany")
      case (true, false): ("Set<\(destination)>", "unorderedToMany")
      }
    write(
      relationship.name, type, documentation, get: "\(accessor)(at: \(slot))",
      set: "set\(SwiftName.capitalized(accessor))(newValue, at: \(slot))", to: &out)
  }

  private func write(
    _ name: String, _ type: String, _ documentation: String, get: String, set: String,
    to out: inout SwiftText
  ) {
    out.documentation(documentation)
    out.block("public var \(SwiftName.escaped(name)): \(type) {") { out in
      out.line("get { \(get) }")
      out.line("set { \(set) }")
    }
  }

  private func destinationClass(of relationship: RelationshipDescription) -> String {
    model.entitiesByName[relationship.destinationEntityName]?.managedObjectClassName
      ?? EntityDescription.plainClassName
  }

  /// A property's place; −1 for a transient one, which has none and is found by its name.
  private func slot(of attribute: AttributeDescription) -> String {
    slot(layout.slots.firstIndex { $0 == .attribute(attribute) }, attribute.name)
  }

  private func slot(of relationship: RelationshipDescription) -> String {
    relationship.isToMany
      ? slot(layout.toManys.firstIndex(of: relationship), relationship.name)
      : slot(layout.slots.firstIndex { $0 == .toOne(relationship) }, relationship.name)
  }

  private func slot(_ number: Int?, _ name: String) -> String {
    "PropertySlot(\(number ?? -1), \(SwiftLiteral.string(name)))"
  }
}

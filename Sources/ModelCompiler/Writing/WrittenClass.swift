import DataModel

/// A generated class of one or more entities, with the slots of its properties.
struct WrittenClass: Sendable {
  /// The name of the class.
  let name: String
  /// The name of its superclass.
  let superclassName: String
  /// The names of its entities.
  let entityNames: [String]
  /// Whether the class itself is generated, and not only its accessors.
  let isDefined: Bool
  /// Whether the class and all of its superclasses are generated, and so override no methods.
  let overridesNothing: Bool
  /// Whether the class is public: generated classes always are.
  let isPublic: Bool
  /// The properties that need accessors; inherited ones are excluded.
  let properties: [PropertyDescription]
  /// The members that a developer has written, which get no accessors.
  let handwrittenMembers: Set<String>
  /// The types that accessors use.
  let style: AccessorStyle
  /// The model.
  let model: ManagedObjectModel
  private let layouts: [SlotLayout]

  /// Returns the classes to be generated for a version, in the order of its entities.
  static func all(in version: CompiledModel.Version) -> [WrittenClass] {
    var seen: Set<String> = []
    return version.source.entities.compactMap { entity in
      guard entity.codeGeneration != .manual, let name = entity.className,
        seen.insert(name).inserted
      else { return nil }
      return WrittenClass(name, in: version)
    }
  }

  private init(_ name: String, in version: CompiledModel.Version) {
    let model = version.model
    let written = version.source.entities
      .filter { $0.className == name && $0.codeGeneration != .manual }
    let entities = written.compactMap { model.entitiesByName[$0.name] }
    self.name = name
    self.model = model
    superclassName = SwiftName.escaped(
      version.source.superclassNames(of: name).compactMap(\.self).first
        ?? EntityDescription.plainClassName)
    entityNames = entities.map(\.name)
    isDefined = version.source.definesClass(name)
    overridesNothing = version.source.definesClasses(from: name)
    let handwritten = version.source.handwritten
    style = handwritten.importsCoreDataNames ? .coreData : .swift
    handwrittenMembers = handwritten.members(of: name)
    let isHandwritten = handwritten.contains(name)
    isPublic = !isHandwritten || handwritten.isPublic(name)
    let obstacles =
      isHandwritten ? ReservedNames.memberNames.union(version.source.typeNames) : []
    let taken = handwrittenMembers.union(obstacles)
    properties = Self.properties(of: entities, in: model).filter { !taken.contains($0.name) }
    // An entity may share the class although its accessors are handwritten.
    layouts = model.entities.filter { $0.managedObjectClassName == name }
      .map { SlotLayout(of: $0, in: model) }
  }

  /// Returns the properties of entities, without duplicates and without inherited ones.
  private static func properties(
    of entities: [EntityDescription], in model: ManagedObjectModel
  ) -> [PropertyDescription] {
    let ancestors = entities.map { entity in
      model.lineage(of: entity).dropLast()
        .filter { $0.managedObjectClassName != EntityDescription.plainClassName }
    }
    var taken: Set<String> = []
    for (entity, ancestors) in zip(entities, ancestors) {
      for ancestor in ancestors
      where ancestor.managedObjectClassName != entity.managedObjectClassName {
        taken.formUnion(ancestor.properties.map(\.name))
      }
    }
    return zip(entities, ancestors).flatMap { entity, ancestors in
      // A property that a subentity with the same class declares again is that of its ancestor.
      let inherited = Set(ancestors.flatMap(\.properties).map(\.name))
      return entity.properties.filter {
        !inherited.contains($0.name) && taken.insert($0.name).inserted
      }
    }
  }

  /// Returns the slot of an attribute or a relationship as a Swift expression.
  ///
  /// Its number is −1 if the property must be looked up by name, because it is transient or has
  /// different numbers in the entities that share the class.
  func slot(of name: String, isToMany: Bool = false) -> String {
    let numbers = layouts.map { layout in
      isToMany
        ? layout.toManys.firstIndex { $0.name == name }
        : layout.slots.firstIndex { $0.name == name }
    }
    let isShared = numbers.allSatisfy { $0 == numbers.first }
    return
      "PropertySlot(\(isShared ? (numbers.first ?? nil) ?? -1 : -1), \(SwiftLiteral.string(name)))"
  }

  /// The name of the class as a Swift identifier: `` `default` ``.
  var swiftName: String { SwiftName.escaped(name) }

  /// Returns the name of an entity's class as a Swift identifier.
  func className(ofEntity name: String) -> String {
    SwiftName.escaped(
      model.entitiesByName[name]?.managedObjectClassName ?? EntityDescription.plainClassName)
  }
}

extension SourceModel {
  /// Returns whether a class itself is generated, and not only its accessors.
  fileprivate func definesClass(_ className: String) -> Bool {
    entities.contains { $0.className == className && $0.codeGeneration == .classDefinition }
  }

  /// Returns whether a class and all of its superclasses up to `ManagedObject` are generated.
  fileprivate func definesClasses(from className: String) -> Bool {
    var next: String? = className
    while let name = next {
      guard definesClass(name) else { return false }
      next = superclassNames(of: name).compactMap(\.self).first
    }
    return true
  }
}

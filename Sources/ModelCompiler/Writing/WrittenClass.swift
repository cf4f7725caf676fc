import DataModel

/// A class that is written for one entity, or for several that share it: which properties it has,
/// and where they lie.
struct WrittenClass: Sendable {
  /// The class's name.
  let name: String
  /// The class that it inherits from.
  let superclassName: String
  /// The names of its entities.
  let entityNames: [String]
  /// Whether the class itself is written, and not its accessors alone.
  let isDefined: Bool
  /// Whether neither the class nor one above it has methods of its own: all are written by momc.
  let overridesNothing: Bool
  /// Whether other modules may see the class: one that is written by momc, or by hand as public.
  let isPublic: Bool
  /// The properties to write accessors for, without those that a superclass has.
  let properties: [PropertyDescription]
  /// The members that a developer has written, which have no accessor.
  let handwrittenMembers: Set<String>
  /// In whose types its accessors speak.
  let style: AccessorStyle
  /// The model that it is written for.
  let model: ManagedObjectModel
  private let layouts: [SlotLayout]

  /// The classes that a version wants written, in the order of its entities.
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
    // An entity may share the class though its accessors are written by hand.
    layouts = model.entities.filter { $0.managedObjectClassName == name }
      .map { SlotLayout(of: $0, in: model) }
  }

  /// The properties of entities, each name once, that no class above has.
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
      // What a subentity that shares the class declares anew is as its ancestor has it.
      let inherited = Set(ancestors.flatMap(\.properties).map(\.name))
      return entity.properties.filter {
        !inherited.contains($0.name) && taken.insert($0.name).inserted
      }
    }
  }

  /// The place of an attribute or a relationship, as Swift.
  ///
  /// The number is −1 where the property is found by its name: a transient one, and one whose place
  /// is not the same in all entities that share the class.
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

  /// The class's name as Swift reads it: `` `default` ``.
  var swiftName: String { SwiftName.escaped(name) }

  /// The class of the objects of an entity, as Swift reads it.
  func className(ofEntity name: String) -> String {
    SwiftName.escaped(
      model.entitiesByName[name]?.managedObjectClassName ?? EntityDescription.plainClassName)
  }
}

extension SourceModel {
  /// Whether a class is written by momc, and not its accessors alone.
  fileprivate func definesClass(_ className: String) -> Bool {
    entities.contains { $0.className == className && $0.codeGeneration == .classDefinition }
  }

  /// Whether a class and all above it, up to `ManagedObject`, are.
  fileprivate func definesClasses(from className: String) -> Bool {
    var next: String? = className
    while let name = next {
      guard definesClass(name) else { return false }
      next = superclassNames(of: name).compactMap(\.self).first
    }
    return true
  }
}

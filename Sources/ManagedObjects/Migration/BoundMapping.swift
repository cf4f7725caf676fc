import DataModel

/// A mapping between two models, bound to one store: with slots and columns in place of names.
struct BoundMapping {
  let source: SQLSchema
  let destination: SQLSchema
  let sourceModel: ManagedObjectModel
  let sourceJoins: [JoinBinding]
  let destinationJoins: [JoinBinding]
  /// The source entity of each entity of the destination, by its index; nil if it is new.
  let origins: [EntityBinding?]
  /// The index in the destination of each entity of the source; nil if it is removed.
  let destinationIndexes: [Int?]
  private let mappings: [EntityMapping?]

  init(
    _ mapping: MappingModel, from source: (model: ManagedObjectModel, numbers: [String: Int]),
    to destination: ManagedObjectModel, of identity: PersistentStoreIdentity,
    contents: StoreContents
  ) throws {
    let old = ModelBinding(source.model, store: identity, numbers: source.numbers)
    let new = ModelBinding(destination, store: identity)
    self.source = try SQLSchema(old, of: contents)
    self.destination = try SQLSchema(new)
    sourceModel = source.model
    (sourceJoins, destinationJoins) = (old.joins, new.joins)
    let mappings = new.entities.map { binding in
      mapping.entityMappings.first { $0.destinationEntityName == binding.name }
    }
    self.mappings = mappings
    let origins = mappings.map { mapping in
      old.entities.first { $0.name == mapping?.sourceEntityName }
    }
    self.origins = origins
    destinationIndexes = old.entities.map { entity in
      origins.firstIndex { $0?.index == entity.index }
    }
  }

  // MARK: Properties

  /// The slot of the source from which a stored slot gets its value; nil if it is new.
  func origin(of slot: Int, in binding: EntityBinding) -> Int? {
    switch binding.slots[slot] {
    case .attribute(let attribute): attributeOrigin(attribute.name, in: binding)
    case .toOne(let relationship): toOneOrigin(relationship.name, in: binding)?.slot
    case .toOneEntity(let relationship): toOneOrigin(relationship.name, in: binding)?.entitySlot
    case .orderKey(let relationship): toOneOrigin(relationship.name, in: binding)?.orderKeySlot
    }
  }

  private func attributeOrigin(_ name: String, in binding: EntityBinding) -> Int? {
    // The name of a composite's element is its key path.
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard let old = origins[binding.index],
      let base = mappings[binding.index]?.attributeMappings.first(where: { $0.name == parts[0] })?
        .sourceName,
      let slot = old.slotsByName[([base] + parts.dropFirst()).joined(separator: ".")],
      slot < old.storedSlotCount
    else { return nil }
    return slot
  }

  /// The source's name of a relationship; nil if it is new.
  func relationshipOrigin(_ name: String, in binding: EntityBinding) -> String? {
    mappings[binding.index]?.relationshipMappings.first { $0.name == name }?.sourceName
  }

  /// The to-one from whose column a to-one gets its keys; nil if it is new.
  ///
  /// One that was renamed without a renaming identifier is still the inverse of the same to-many.
  func toOneOrigin(_ name: String, in binding: EntityBinding) -> EntityBinding.ToOne? {
    guard let old = origins[binding.index] else { return nil }
    if let name = relationshipOrigin(name, in: binding) {
      guard let slot = old.slotsByName[name], slot < old.storedSlotCount else { return nil }
      return old.toOnesBySlot[slot]
    }
    guard let slot = binding.slotsByName[name], let toOne = binding.toOnesBySlot[slot],
      case .toMany(let number) = toOne.inverse
    else { return nil }
    let owner = destination.bindings[toOne.destination]
    for index in owner.family {
      guard let oldOwner = origins[index],
        let name = relationshipOrigin(
          owner.toManys[number].description.name,
          in: destination.bindings[index]),
        let number = oldOwner.toManysByName[name],
        case .foreignKey(let slot) = oldOwner.toManys[number].storage,
        source.bindings[oldOwner.toManys[number].destination].family.contains(old.index)
      else { continue }
      return old.toOnesBySlot[slot]
    }
    return nil
  }

  // MARK: Names

  func column(_ slot: Int, of binding: EntityBinding) -> String {
    destination.columnNames[binding.index][slot]
  }

  func sourceColumn(_ slot: Int, of binding: EntityBinding) -> String {
    source.columnNames[binding.index][slot]
  }

  func table(of binding: EntityBinding) -> String { destination.tableNames[binding.index] }

  /// Whether objects of some source entities no longer belong to some destination entities.
  ///
  /// They are removed, or have left a hierarchy.
  func losesSome(of family: [Int], to other: [Int]) -> Bool {
    family.contains { index in destinationIndexes[index].map { !other.contains($0) } ?? true }
  }

  /// Whether any entity of the source has another number in the destination.
  func renumbersSome(of family: some Sequence<Int>) -> Bool {
    family.contains { index in
      destinationIndexes[index].map {
        destination.bindings[$0].number != source.bindings[index].number
      } ?? false
    }
  }
}

import DataModel

/// Converting the values that a custom store returns into packed rows.
extension CustomStore {
  /// The members of a to-many relationship, as keys.
  typealias List = (toMany: EntityBinding.ToMany, members: [Int64])

  /// Writes values into a row under construction.
  ///
  /// - Returns: the to-many relationships among the values.
  /// - Throws: `PersistentStoreError.invalidStore` if a property does not belong to the model or
  ///   a value has the wrong type.
  func fill(
    _ draft: inout RowDraft, of entity: EntityBinding, with values: [String: PropertyValue]
  ) throws -> [List] {
    draft.begin(slotCount: entity.slotCount)
    var lists: [List] = []
    for (name, value) in values {
      if case .null = value { continue }
      if let slot = entity.slotsByName[name] {
        // Transient properties are not stored.
        guard slot < entity.storedSlotCount else { continue }
        try set(value, at: slot, name, of: entity, in: &draft)
      } else if let number = entity.toManysByName[name] {
        let toMany = entity.toManys[number]
        guard case .toMany(let ids) = value else {
          throw invalid("it returned \(value.kind) for \(entity.name).\(name), which is a to-many")
        }
        lists.append(
          (toMany, try ids.map { try key(of: $0, as: toMany.destination, entity, name) }))
      } else {
        throw invalid("it returned \(entity.name).\(name), which the model does not have")
      }
    }
    return lists
  }

  private func set(
    _ value: PropertyValue, at slot: Int, _ name: String, of entity: EntityBinding,
    in draft: inout RowDraft
  ) throws {
    switch (entity.slots[slot], value) {
    case (.attribute(let attribute), .attribute(let given)):
      guard let fitting = given.storedFitting(attribute.type) else {
        throw unfitting(value, attribute.type, name, of: entity)
      }
      draft.set(fitting, at: slot)
    case (.toOne, .toOne(let id)):
      guard let toOne = entity.toOnesBySlot[slot] else { return }
      try set(toOne, to: id, of: entity, in: &draft)
    case (.attribute, _):
      throw invalid("it returned \(value.kind) for \(entity.name).\(name), which is an attribute")
    default:
      throw invalid("it returned \(value.kind) for \(entity.name).\(name), which is a to-one")
    }
  }

  /// The error for a value that does not have its attribute's type.
  func unfitting(
    _ value: PropertyValue, _ type: AttributeDescription.AttributeType, _ name: String,
    of entity: EntityBinding
  ) -> PersistentStoreError {
    invalid("it returned \(value.kind) for \(entity.name).\(name), which is \(type.name)")
  }

  /// Sets the destination of a to-one in a row under construction.
  func set(
    _ toOne: EntityBinding.ToOne, to id: ManagedObjectID, of entity: EntityBinding,
    in draft: inout RowDraft
  ) throws {
    let key = try key(of: id, as: toOne.destination, entity, toOne.description.name)
    draft.set(UInt64(bitPattern: key), at: toOne.slot)
    if let slot = toOne.entitySlot { draft.set(UInt64(id.binding.number), at: slot) }
  }

  /// A snapshot of a new object; its to-ones may refer to temporary IDs.
  func snapshot(of insert: SaveRequest.Insert) -> ManagedObjectSnapshot {
    let values = insert.entity.values(of: insert.row) { key, toOne in
      objectID(of: key) ?? ManagedObjectID(binding: binding(at: toOne.destination), key: key)
    }
    return ManagedObjectSnapshot(
      objectID: ManagedObjectID(binding: insert.entity, key: insert.temporaryKey), values: values,
      version: 0)
  }

  /// The key of a relationship's destination.
  ///
  /// - Throws: `PersistentStoreError.invalidStore` if the object belongs to another store or has
  ///   the wrong entity.
  func key(
    of id: ManagedObjectID, as destination: Int, _ entity: EntityBinding, _ name: String
  ) throws -> Int64 {
    guard id.binding.store === identity, !id.isTemporaryID else {
      throw invalid("it returned \(id) for \(entity.name).\(name), which is not an object of it")
    }
    guard binding(at: destination).family.contains(id.binding.index) else {
      throw invalid(
        "it returned \(id) for \(entity.name).\(name), which is not of the entity \(binding(at: destination).name)"
      )
    }
    return id.key
  }
}

extension AttributeValue {
  /// The value as `fitting(_:)` converts it; types stored as bytes keep their bytes.
  func storedFitting(_ type: AttributeDescription.AttributeType) -> AttributeValue? {
    switch (type, self) {
    case (.transformable, .binary), (.undefined, .binary), (.composite, .binary): self
    default: fitting(type)
    }
  }

  fileprivate var kind: String {
    switch self {
    case .integer(let number): "the number \(number)"
    case .double, .decimal: "a number"
    case .boolean: "a Boolean"
    case .string: "a string"
    case .date: "a date"
    case .binary: "bytes"
    case .uuid: "a UUID"
    case .uri: "a URI"
    }
  }
}

extension PropertyValue {
  /// What kind of value this is, as part of a sentence.
  var kind: String {
    switch self {
    case .attribute(let value): value.kind
    case .toOne: "an object"
    case .toMany: "a collection of objects"
    case .null: "nothing"
    }
  }
}

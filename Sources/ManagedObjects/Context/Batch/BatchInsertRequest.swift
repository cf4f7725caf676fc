public import DataModel

/// Inserts many new rows, directly in the store.
///
///     let request = BatchInsertRequest(
///       entityName: "Walk",
///       objects: lines.map { ["date": .date($0.date), "dog": .uri(fido.objectID.uriRepresentation())] })
///     let changes = try context.execute(request)
///     try context.mergeChanges(from: changes)
///
/// Contexts are bypassed; merge the result into them. No objects are made, no hooks run, and
/// nothing is validated except that a required property must have a value. All rows are inserted in
/// one transaction, or none. Follows Core Data's `NSBatchInsertRequest`, which cannot set to-ones.
public struct BatchInsertRequest: Sendable {
  /// The entity of the new rows.
  public var entityName: String
  /// The values of each row by property name; other properties have their defaults.
  ///
  /// A to-one's value is the URI of a saved object's ID.
  public var objects: [[String: AttributeValue]]
  /// The stores of the request, the first of which receives the rows; nil for the default store.
  ///
  /// The default is the store to which new objects of the entity are assigned.
  public var affectedStores: [PersistentStore]?

  /// Creates a request.
  public init(entityName: String, objects: [[String: AttributeValue]]) {
    self.entityName = entityName
    self.objects = objects
  }
}

extension ManagedObjectContext {
  /// Inserts rows directly in the store; returns their IDs for merging, in the request's order.
  ///
  /// - Throws: `BatchRequestError` if the values of a row are invalid; `ConflictError` if the
  ///   object of a to-one no longer exists; `PersistentStoreError` as a save does. Nothing is
  ///   stored then.
  /// - Precondition: the entity is one of the model and not abstract, and the affected store has
  ///   it; its properties have the names and the types of the values, none of them is a one-to-one,
  ///   and this context has no parent.
  public func execute(_ request: BatchInsertRequest) throws -> ChangedObjectIDs {
    require(
      parent == nil,
      "A batch request goes to a store, but this context saves into its parent context.")
    try adoptStoresOrThrow()
    let target = request.affectedStores?.first.map { store in
      self.entity(named: request.entityName, in: store)
    }
    let entity = (target ?? entityForNewObjects(contextEntity(named: request.entityName))).binding
    require(!entity.description.isAbstract, "\(entity.name) is abstract: it has no objects.")
    var save = SaveRequest()
    save.origin = transactionOrigin
    defer { for insert in save.inserts { insert.row.free(slotCount: entity.slotCount) } }
    // The new members of each owner's list, so that they are appended at its end.
    var members: [Int: [Int64: ContiguousArray<SaveRequest.Member>]] = [:]
    for (index, values) in request.objects.enumerated() {
      let key = Self.nextTemporaryKey()
      let row = try batchRow(of: entity, values, index)
      save.inserts.append(
        SaveRequest.Insert(entity: entity, temporaryKey: key, row: row, lookUp: nil))
      for toOne in entity.toOnes where toOne.orderKeySlot != nil && row.hasValue(toOne.slot) {
        members[toOne.slot, default: [:]][row.integer(toOne.slot), default: []]
          .append(SaveRequest.Member(key: key, written: .insert(index)))
      }
    }
    for (slot, lists) in members {
      // Only slots of to-ones are among them.
      let toOne = entity.toOnesBySlot[slot]!
      for (owner, members) in lists {
        save.lists.append(
          SaveRequest.OrderedList(
            storage: .foreignKey(toOne, entity), owner: owner, members: members, isWhole: false))
      }
    }
    // For a single store the result exists, or `save` throws.
    let result = try persistentStoreCoordinator.save([(entity.store, save)]).results[0]!
    return ChangedObjectIDs(
      inserted: save.inserts.compactMap { insert in
        result.keys[insert.temporaryKey].map { ManagedObjectID(binding: entity, key: $0) }
      })
  }

  /// A new row with some values.
  private func batchRow(
    of entity: EntityBinding, _ values: [String: AttributeValue], _ index: Int
  ) throws -> PackedRow {
    var row = entity.newRow()
    do {
      for (name, value) in values { try entity.set(value, for: name, in: &row, self) }
      for slot in entity.requiredSlots where !row.hasValue(slot) {
        throw BatchRequestError.missingValue("\(entity.name).\(entity.slots[slot].name)", at: index)
      }
    } catch {
      row.free(slotCount: entity.slotCount)
      throw error
    }
    return row
  }
}

extension EntityBinding {
  /// Sets a value in a row; the row is reallocated.
  fileprivate func set(
    _ value: AttributeValue, for name: String, in row: inout PackedRow,
    _ context: ManagedObjectContext
  ) throws {
    guard let slot = slotsByName[name], slot < storedSlotCount, !slots[slot].isDerived else {
      fatalError("\(self.name) has no property \(name) that a batch can set.")
    }
    guard let toOne = toOnesBySlot[slot] else {
      row = row.setting(value, at: slot, kinds: kinds, tailSlots: tailSlots)
      return
    }
    guard case .toOne = toOne.inverse else {
      guard case .uri(let uri) = value,
        let id = context.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri),
        context.binding(at: toOne.destination).family.contains(id.binding.index)
      else { throw BatchRequestError.notAnObject("\(self.name).\(name)") }
      row.setBits(UInt64(bitPattern: id.key), slot)
      if let entitySlot = toOne.entitySlot {
        row.setBits(UInt64(id.binding.number), entitySlot)
      }
      return
    }
    fatalError("\(self.name).\(name) is one-to-one: a batch cannot set it.")
  }
}

import DataModel

/// Maintaining derived attributes in a store without Core Data's triggers for them.
///
/// Uses temporary triggers of one connection (`CREATE TEMP TRIGGER`): nothing of them is stored in
/// the file, so other programs can still write to it. They follow the SQL of Core Data's own
/// triggers if it is known.
extension SQLSchema {
  /// The CREATE TRIGGER statements; empty if no attribute is derived.
  ///
  /// The expressions were checked when the store was added (`ManagedObjectModel.checkDerivations`).
  var derivations: [String] { derivationTriggers.statements }

  var derivationTriggers: DerivationTriggers {
    var triggers = DerivationTriggers()
    for binding in bindings where binding.writtenSlots.count < binding.storedSlotCount {
      for slot in inheritedSlots(binding)..<binding.storedSlotCount {
        guard case .attribute(let attribute) = binding.slots[slot],
          let text = attribute.derivationExpression, let derivation = try? Derivation(text)
        else { continue }
        add(derivation, in: slot, of: binding, to: &triggers)
      }
    }
    return triggers
  }

  private func add(
    _ derivation: Derivation, in slot: Int, of binding: EntityBinding,
    to triggers: inout DerivationTriggers
  ) {
    let owner = DerivationTriggers.Owner(
      table: table(binding.index), column: column(slot, of: binding),
      numbers: binding.family.map { String(bindings[$0 - offset].number) }.joined(separator: ", "))
    switch derivation.form {
    case .now: triggers.addNow(owner)
    case .value(let function):
      guard let (hops, value) = way(along: derivation.path, from: binding) else { return }
      triggers.addValue(owner, along: hops, value, function)
    case .aggregate(let aggregate):
      guard let number = binding.toManysByName[derivation.path[0]] else { return }
      let toMany = binding.toManys[number]
      let value = derivation.path.dropFirst().first.flatMap {
        attributeColumn($0, of: toMany.destination)
      }
      guard value != nil || derivation.path.count == 1 else { return }
      add(aggregate, of: value, in: toMany, to: owner, &triggers)
    }
  }

  private func add(
    _ aggregate: Derivation.Aggregate, of value: String?, in toMany: EntityBinding.ToMany,
    to owner: DerivationTriggers.Owner, _ triggers: inout DerivationTriggers
  ) {
    let members = table(toMany.destination)
    switch toMany.storage {
    case .foreignKey(let key):
      triggers.addMembers(
        owner, of: members, key: column(key, of: bindings[toMany.destination - offset]), value,
        aggregate)
    case .join(let end):
      let join = joins[end.join]
      let (key, member) =
        end.isFirst ? (join.firstKey, join.secondKey) : (join.secondKey, join.firstKey)
      guard let value else {
        return triggers.addMembers(
          owner, of: join.table.quoted, key: key.quoted, nil, aggregate)
      }
      triggers.addLinkedMembers(
        owner,
        DerivationTriggers.Links(
          table: join.table.quoted, owner: key.quoted, member: member.quoted, members: members,
          value: value), aggregate)
    case .memory: break
    }
  }

  /// The to-ones along a key path, and the column at its end; nil if one is not stored.
  private func way(
    along path: [String], from binding: EntityBinding
  ) -> (hops: [DerivationTriggers.Hop], column: String)? {
    var hops: [DerivationTriggers.Hop] = []
    var binding = binding
    for name in path.dropLast() {
      guard let slot = binding.slotsByName[name], slot < binding.storedSlotCount,
        let toOne = binding.toOnesBySlot[slot]
      else { return nil }
      hops.append(
        DerivationTriggers.Hop(key: column(slot, of: binding), table: table(toOne.destination)))
      binding = bindings[toOne.destination - offset]
    }
    guard let column = attributeColumn(path[path.count - 1], of: binding.index) else { return nil }
    return (hops, column)
  }

  private func table(_ index: Int) -> String { tableNames[index - offset].quoted }

  private func column(_ slot: Int, of binding: EntityBinding) -> String {
    columnNames[binding.index - offset][slot].quoted
  }

  private func attributeColumn(_ name: String, of index: Int) -> String? {
    let binding = bindings[index - offset]
    guard let slot = binding.slotsByName[name], slot < binding.storedSlotCount,
      case .attribute = binding.slots[slot]
    else { return nil }
    return column(slot, of: binding)
  }
}

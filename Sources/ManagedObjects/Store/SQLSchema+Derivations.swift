import DataModel

/// What keeps derived attributes right in a store that has no triggers of Core Data's for it.
///
/// Triggers for one connection alone (`CREATE TEMP TRIGGER`): nothing of them stands in the file, so
/// other programs can write to it as before. They follow the SQL of Core Data's own where that is
/// known. What they cannot do (a path of several relationships) stays empty.
extension SQLSchema {
  /// The triggers, a statement each; none where no attribute is derived.
  var derivations: [String] {
    var triggers = DerivationTriggers()
    for binding in bindings where binding.writtenSlots.count < binding.storedSlotCount {
      for slot in inheritedSlots(binding)..<binding.storedSlotCount {
        guard case .attribute(let attribute) = binding.slots[slot],
          let text = attribute.derivationExpression
        else { continue }
        add(DerivationExpression(text), in: slot, of: binding, to: &triggers)
      }
    }
    return triggers.statements
  }

  private func add(
    _ expression: DerivationExpression, in slot: Int, of binding: EntityBinding,
    to triggers: inout DerivationTriggers
  ) {
    let (function, path) = expression.parts
    let owner = DerivationTriggers.Owner(
      table: tableNames[binding.index - offset].quoted, column: column(slot, of: binding),
      numbers: binding.family.map { String(bindings[$0 - offset].number) }.joined(separator: ", "))
    if function == "now", path.isEmpty { return triggers.addNow(owner) }
    guard let first = path.first else { return }
    if let source = binding.slotsByName[first], source < binding.storedSlotCount {
      guard let call = DerivationTriggers.textFunction(function) else { return }
      if path.count == 1, binding.toOnesBySlot[source] == nil {
        triggers.addOwn(owner, from: column(source, of: binding), call)
      } else if path.count == 2, let toOne = binding.toOnesBySlot[source],
        let end = attributeColumn(path[1], of: toOne.destination)
      {
        triggers.addDestinations(
          owner, key: column(source, of: binding),
          from: (tableNames[toOne.destination - offset].quoted, end), call)
      }
    } else if let number = binding.toManysByName[first], path.count <= 2,
      let aggregate = DerivationTriggers.aggregate(function)
    {
      let toMany = binding.toManys[number]
      let value = path.count == 2 ? attributeColumn(path[1], of: toMany.destination) : nil
      guard (function == "count") == (path.count == 1), path.count == 1 || value != nil else {
        return
      }
      let members = tableNames[toMany.destination - offset].quoted
      switch toMany.storage {
      case .foreignKey(let key):
        triggers.addMembers(
          owner, of: members, key: column(key, of: bindings[toMany.destination - offset]), value,
          aggregate)
      case .join(let end) where value == nil:
        let join = joins[end.join]
        triggers.addMembers(
          owner, of: join.table.quoted, key: (end.isFirst ? join.firstKey : join.secondKey).quoted,
          nil, aggregate)
      case .join, .memory: break
      }
    }
  }

  private func column(_ slot: Int, of binding: EntityBinding) -> String {
    columnNames[binding.index - offset][slot].quoted
  }

  private func attributeColumn(_ name: String, of place: Int) -> String? {
    let binding = bindings[place - offset]
    guard let slot = binding.slotsByName[name], slot < binding.storedSlotCount,
      case .attribute = binding.slots[slot]
    else { return nil }
    return column(slot, of: binding)
  }
}

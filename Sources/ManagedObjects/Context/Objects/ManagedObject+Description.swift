import DataModel

extension ManagedObject: CustomDebugStringConvertible {
  /// A description for logs: the object's class, its ID, and the values that were read.
  ///
  ///     print(fido)   // <Dog x-coredata://…/Dog/p1 {name: “Fido”, owner: p3, walks: not read}>
  ///
  /// Missing values are omitted. Reads nothing: a fault is printed as one.
  public var debugDescription: String { "<\(type(of: self)) \(objectID) \(shownValues)>" }

  private var shownValues: String {
    guard let _slots else { return "a fault" }
    let (row, binding) = (PackedRow(slots: _slots), _entity.binding)
    var parts: [String] = []
    for (slot, content) in binding.slots.enumerated() where row.hasValue(slot) {
      switch content {
      case .attribute(let attribute):
        guard let value = row.value(at: slot, type: attribute.type) else { continue }
        parts.append("\(attribute.name): \(value.shown)")
      case .toOne(let relationship):
        let key = row.integer(slot)
        let shown = key < 0 ? "t\(-key)" : "p\(binding.store.text(of: key))"
        parts.append("\(relationship.name): \(shown)")
      case .toOneEntity, .orderKey: continue
      }
    }
    for toMany in binding.toManys where !toMany.description.name.isEmpty {
      let isKnown = !hasFault(forRelationshipNamed: toMany.description.name)
      let count = _lists?.toManys[toMany.number].count ?? 0
      parts.append("\(toMany.description.name): \(isKnown ? "\(count)" : "not read")")
    }
    return "{\(parts.joined(separator: ", "))}"
  }
}

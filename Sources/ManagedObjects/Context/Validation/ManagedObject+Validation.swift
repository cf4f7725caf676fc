import DataModel

/// The model's validation rules, which the overridable methods call.
extension ManagedObject {
  /// Checks all values against the model.
  func checkValues() throws {
    guard !_entity.overridden.contains(.validateValue) else { return try checkEveryKey() }
    // A fault has the values that were saved.
    var failures: [ValidationError.Failure] = []
    let rules = _entity.rules
    if _slots != nil || _state.contains(.inserted) { checkSlots(by: rules, into: &failures) }
    for toMany in rules.counted where mayHaveOtherMembers(toMany) {
      checkCount(of: toMany, into: &failures)
    }
    if !failures.isEmpty { throw ValidationError(failures: failures) }
  }

  private func checkSlots(
    by rules: EntityRules, into failures: inout [ValidationError.Failure]
  ) {
    let (row, binding) = (row, _entity.binding)
    func checkPresence(_ slot: Int) {
      guard !row.hasValue(slot) else { return }
      // A value whose file is missing counts as present.
      if binding.kinds[slot] == .external, row.isUnreadable(slot) { return }
      failures.append(.init(self, property: binding.slots[slot].name, reason: .missingValue))
    }
    for slot in binding.requiredSlots { checkPresence(slot) }
    for slot in rules.requiredTransients { checkPresence(slot) }
    for bounds in rules.bounds {
      guard let value = row.value(at: bounds.slot, type: bounds.attribute.type),
        let reason = bounds.reason(against: value)
      else { continue }
      failures.append(.init(self, property: bounds.attribute.name, value: value, reason: reason))
    }
  }

  /// Checks each property through the method that the subclass overrides.
  private func checkEveryKey() throws {
    var failures = CollectedFailures()
    if _slots != nil || _state.contains(.inserted) {
      for content in _entity.binding.slots where !content.isDerived && content.isValue {
        check(content.name, into: &failures)
      }
    }
    for toMany in _entity.binding.toManys where mayHaveOtherMembers(toMany) {
      check(toMany.description.name, into: &failures)
    }
    try failures.throwIfAny()
  }

  private func check(_ key: String, into failures: inout CollectedFailures) {
    // Slots without a name may precede those that are not stored.
    guard !key.isEmpty else { return }
    var value = value(forKey: key)
    failures.collect(from: self) { try validateValue(&value, forKey: key) }
  }

  /// Whether a to-many may have different members than when it was last checked.
  ///
  /// A transient one is never saved, so its members may always be different.
  private func mayHaveOtherMembers(_ toMany: EntityBinding.ToMany) -> Bool {
    _state.contains(.inserted) || _lists?.toManys[toMany.number].isChanged == true
      || (toMany.description.isTransient && _slots != nil)
  }

  /// Checks the number of members of a to-many, which is loaded for that.
  func checkCount(
    of toMany: EntityBinding.ToMany, into failures: inout [ValidationError.Failure]
  ) {
    loaded(toMany)
    let count = lists.toManys[toMany.number].count
    guard let reason = toMany.description.reason(againstCount: count) else { return }
    failures.append(.init(self, property: toMany.description.name, reason: reason))
  }

  // MARK: One value

  /// Checks a value against the model's rules for a property.
  func checkValue(_ value: Any?, forKey key: String) throws {
    let reason: ValidationError.Failure.Reason?
    var shown: AttributeValue?
    switch _entity.binding.property(key) {
    case .attribute(let slot, let attribute):
      (reason, shown) = reasonAgainst(value, slot: slot, attribute)
    case .toOne(let toOne):
      let isMissing = flattened(value) == nil && !toOne.description.isOptional
      reason = isMissing ? .missingValue : nil
    case .toMany(let toMany):
      let count = (flattened(value) as? any ObjectCollection)?.objects.count ?? 0
      reason =
        toMany.description.isCounted
        ? toMany.description.reason(againstCount: count) : nil
    case .composite(let elements):
      return try checkElements(of: value, elements)
    case .none: refuse(key)
    }
    guard let reason else { return }
    throw ValidationError(failures: [.init(self, property: key, value: shown, reason: reason)])
  }

  private func reasonAgainst(
    _ value: Any?, slot: Int, _ attribute: AttributeDescription
  ) -> (ValidationError.Failure.Reason?, AttributeValue?) {
    guard let value = flattened(value) else {
      let isMissing = !attribute.isOptional && !attribute.isDerived
      return (isMissing ? .missingValue : nil, nil)
    }
    guard !attribute.isTransformed else { return (nil, nil) }
    guard let converted = AttributeValue(value, for: attribute) else { return (.wrongType, nil) }
    let bounds = _entity.rules.bounds.first { $0.slot == slot }
    return (bounds?.reason(against: converted), converted)
  }

  private func checkElements(of value: Any?, _ elements: [CompositeElement]) throws {
    let values = flattened(value) as? [String: Any?]
    var failures = CollectedFailures()
    for element in elements {
      failures.collect(from: self) {
        try checkValue(values?.value(along: element.name), forKey: element.path)
      }
    }
    try failures.throwIfAny()
  }

  // MARK: Deleting

  /// Checks whether a delete rule denies that the object is deleted.
  func checkDelete() throws {
    var failures: [ValidationError.Failure] = []
    for toMany in _entity.binding.toManys where toMany.description.deleteRule == .deny {
      loaded(toMany)
      if lists.toManys[toMany.number].members.contains(where: { !$0._state.contains(.deleted) }) {
        failures.append(.init(self, property: toMany.description.name, reason: .deleteDenied))
      }
    }
    for toOne in _entity.binding.toOnes
    where toOne.description.deleteRule == .deny
      && self.toOne(toOne.slot)?._state.isDisjoint(with: [.deleted, .detached]) == true
    {
      failures.append(.init(self, property: toOne.description.name, reason: .deleteDenied))
    }
    if !failures.isEmpty { throw ValidationError(failures: failures) }
  }
}

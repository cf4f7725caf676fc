public import SystemLibraries

/// Accessors for transformable attributes, and for those without a type, as momc generates them.
extension ManagedObject {
  /// The value of a transformable attribute, or nil.
  ///
  /// Its transformer converts the stored bytes at each read; numbers are converted to the requested
  /// type if they fit. Without a transformer of the name in the model, a `Data` is the bytes
  /// themselves. Also nil if the transformer does not recognise the stored bytes. A transient
  /// attribute's value is the one that was set.
  ///
  /// - Precondition: a transformer is registered, or `Value` is `Data`.
  public func transformableValue<Value>(at property: PropertySlot) -> Value? {
    let slot = _slot(property)
    guard let attribute = attribute(slot, property), let value = transformed(slot, attribute) else {
      return nil
    }
    if let value = value as? Value { return value }
    if let type = Value.self as? any UnarchivableValue.Type,
      let converted = type.init(unarchived: value) as? Value
    {
      return converted
    }
    // The bytes have no transformer; any other value has another type than expected.
    if attribute.valueTransformer == nil, !attribute.isTransient {
      missingTransformer(attribute, of: Value.self)
    }
    return nil
  }

  /// Sets the value of a transformable attribute; its transformer is called immediately.
  ///
  /// - Precondition: a transformer is registered that can transform the value, or it is a `Data`.
  public func setTransformableValue<Value>(_ value: Value?, at property: PropertySlot) {
    let slot = _slot(property)
    guard let attribute = attribute(slot, property) else { return }
    setTransformed(value, slot, attribute)
  }

  /// The stored bytes of a transformable attribute, whatever its transformer; nil for none.
  ///
  ///     extension Dog { var colour: Data? { transformableData(at: "colour") } }
  ///
  /// momc generates this for a class that exists only on Apple's systems.
  public func transformableData(at property: PropertySlot) -> Data? {
    let slot = _slot(property)
    guard attribute(slot, property) != nil, row.hasValue(slot) else { return nil }
    return Data(row.bytes(slot))
  }

  /// Sets the stored bytes of a transformable attribute, whatever its transformer.
  public func setTransformableData(_ data: Data?, at property: PropertySlot) {
    let slot = _slot(property)
    guard attribute(slot, property) != nil else { return }
    guard let data else { return _clear(slot) }
    Array(data).withUnsafeBytes { _writeBytes($0, slot) }
  }

  /// The value in a slot as its transformer returns it; the bytes if there is no transformer.
  func transformed(_ slot: Int, _ attribute: AttributeDescription) -> Any? {
    guard row.hasValue(slot) || _readsUnreadable(slot) else { return nil }
    return attribute.isTransient ? _side?.values[slot] : attribute.transformed(row.bytes(slot))
  }

  /// Sets the value in a slot to the bytes that its transformer returns.
  func setTransformed(_ value: Any?, _ slot: Int, _ attribute: AttributeDescription) {
    guard let value else {
      _clear(slot)
      _side?.values[slot] = nil
      return
    }
    if attribute.isTransient {
      _prepareForChange()
      side.values[slot] = value
      // The bit indicates that there is a value; the value itself is stored outside the row.
      return row.setBits(UInt64(row.byteCount), slot)
    }
    let data: Data
    if let transformer = attribute.valueTransformer {
      do {
        data = try transformer.data(of: value)
      } catch is NoTransformedValue {
        _clear(slot)
        _side?.values[slot] = nil
        return
      } catch {
        fatalError(
          "The transformer of \(_entity.binding.name).\(attribute.name) failed: \(error)")
      }
    } else if let bytes = value as? Data {
      data = bytes
    } else {
      missingTransformer(attribute, of: type(of: value))
    }
    Array(data).withUnsafeBytes { _writeBytes($0, slot) }
  }

  private func attribute(_ slot: Int, _ property: PropertySlot) -> AttributeDescription? {
    if _entity.probe != nil { return nil }
    guard case .attribute(let attribute) = _entity.binding.slots[slot], attribute.isTransformed
    else {
      fatalError("\(_entity.binding.name).\(property.name) is not a transformable attribute.")
    }
    return attribute
  }

  private func missingTransformer(_ attribute: AttributeDescription, of type: Any.Type) -> Never {
    let name = attribute.valueTransformerName ?? "without a name"
    fatalError(
      """
      \(_entity.binding.name).\(attribute.name) is a \(type), and no transformer \(name) is \
      registered: see AttributeDescription.setValueTransformer(_:forName:).
      """)
  }
}

extension AttributeDescription {
  /// Converts bytes with the attribute's transformer; returns the bytes if there is none.
  func transformed(_ bytes: UnsafeRawBufferPointer) -> Any? {
    let data = Data(bytes)
    guard let valueTransformer else { return data }
    return try? valueTransformer.anyValue(of: data)
  }

  /// The bytes that the attribute's transformer makes of a value, or that the value is if there is
  /// none; nil if it can be made nothing of.
  func data(of value: Any) -> Data? {
    guard let valueTransformer else { return value as? Data }
    return try? valueTransformer.data(of: value)
  }
}

extension AttributeDescription.ValueTransformer {
  fileprivate func anyValue(of data: Data) throws -> Any { try reverseTransformedValue(data) }

  fileprivate func data(of value: Any) throws -> Data {
    guard let typed = value as? Value else {
      fatalError("\(Self.self) transforms a \(Value.self), not a \(type(of: value)).")
    }
    return try transformedValue(typed)
  }
}

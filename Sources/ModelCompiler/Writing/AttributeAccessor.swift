import DataModel

/// Writes the accessor of an attribute other than a composite.
struct AttributeAccessor {
  private let attribute: AttributeDescription
  private let slot: String
  private let style: AccessorStyle

  init(_ attribute: AttributeDescription, slot: String, style: AccessorStyle) {
    self.attribute = attribute
    self.slot = slot
    self.style = style
  }

  func write(to out: inout SwiftText) {
    let (type, note, get, set) = accessor
    var documentation = "The attribute `\(attribute.name)`\(note)."
    if let expression = attribute.derivationExpression {
      documentation += " The store computes it: `\(expression)`."
    }
    out.accessor(
      attribute.name, type, documentation, get: "\(get)(\(kind)at: \(slot))",
      set: attribute.isDerived ? nil : "\(set)(newValue, \(kind)at: \(slot))")
  }

  /// The argument for the type of number that an `NSNumber` contains.
  private var kind: String {
    style == .coreData && attribute.isNumberObject ? "of: \(attribute.swiftType).self, " : ""
  }

  /// As in Xcode, objects are optional, whatever the model requires.
  private var coreDataAccessor: (type: String, note: String, get: String, set: String) {
    let note = "; nil if it has no value"
    if attribute.isNumberObject { return ("NSNumber?", note, "numberValue", "setNumberValue") }
    if attribute.type == .decimal {
      return ("NSDecimalNumber?", note, "decimalNumberValue", "setDecimalNumberValue")
    }
    if attribute.hasZero, attribute.type != .date {
      return (
        attribute.swiftType, "; \(zero) if it has no value", "scalarValue", "setRequiredValue"
      )
    }
    return (attribute.swiftType + "?", note, "optionalValue", "setOptionalValue")
  }

  private var accessor: (type: String, note: String, get: String, set: String) {
    let type = attribute.swiftType
    if attribute.isAccessedAsBytes {
      let note = ", as the bytes that are stored; nil if it has no value"
      return (type + "?", note, "transformableData", "setTransformableData")
    }
    if attribute.type == .transformable || attribute.type == .undefined {
      return (
        type + "?", "; nil if it has no value", "transformableValue", "setTransformableValue"
      )
    }
    if style == .coreData { return coreDataAccessor }
    if attribute.isDerived, !attribute.isOptional {
      // There is no value before the first save.
      return attribute.hasZero
        ? (type, "; \(zero) until it is saved", "scalarValue", "")
        : (type + "?", "; nil until it is saved", "optionalValue", "")
    }
    if attribute.readsNilAsZero {
      return (type, "; \(zero) if it has no value", "scalarValue", "setRequiredValue")
    }
    if attribute.isOptional {
      return (type + "?", "; nil if it has no value", "optionalValue", "setOptionalValue")
    }
    let note = attribute.defaultValue == nil ? "; reading it before it is set traps" : ""
    return (type, ", which must have a value\(note)", "requiredValue", "setRequiredValue")
  }

  private var zero: String { attribute.type == .boolean ? "false" : "zero" }
}

public import DataModel
public import SystemLibraries

/// A Swift type that an attribute's value can have.
///
/// The numbers, `Bool`, `Date`, `Decimal`, `String`, `URL`, `UUID` and `Data` conform; momc chooses
/// among them by the attribute's type. Do not conform further types: use transformable attributes
/// for them.
public protocol SlotValue: Sendable {
  /// Whether values of this type fit attributes of a type; integers fit those of any width.
  static func _isValue(of type: AttributeDescription.AttributeType) -> Bool
  /// Reads the value of a slot that has one.
  static func _read(_ row: _RowAccess, slot: Int) -> Self
  /// Writes the value into a slot.
  func _write(to object: ManagedObject, slot: Int)
}

/// Access to a row for the accessors that momc generates; opaque to other code.
public struct _RowAccess {
  @usableFromInline let row: PackedRow
  @inlinable init(row: PackedRow) { self.row = row }
}

@available(*, unavailable) extension _RowAccess: Sendable {}

extension Int16: SlotValue {}
extension Int32: SlotValue {}
extension Int64: SlotValue {}
extension SlotValue where Self: FixedWidthInteger {
  /// Whether the type is Integer 16, 32 or 64.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .integer16 || type == .integer32 || type == .integer64
  }
  /// Reads an integer; one that does not fit loses its upper bits.
  @inlinable
  public static func _read(_ access: _RowAccess, slot: Int) -> Self {
    Self(truncatingIfNeeded: access.row.integer(slot))
  }
  /// Writes an integer.
  @inlinable
  public func _write(to object: ManagedObject, slot: Int) {
    object._writeBits(UInt64(bitPattern: Int64(self)), slot)
  }
}

extension Bool: SlotValue {
  /// Whether the type is Boolean.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .boolean
  }
  /// Reads 0 as false and everything else as true.
  @inlinable
  public static func _read(_ access: _RowAccess, slot: Int) -> Bool {
    access.row.integer(slot) != 0
  }
  /// Writes 0 or 1.
  @inlinable
  public func _write(to object: ManagedObject, slot: Int) { object._writeBits(self ? 1 : 0, slot) }
}

extension Double: SlotValue {
  /// Whether the type is Double or Float.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .double || type == .float
  }
  /// Reads a number.
  @inlinable
  public static func _read(_ access: _RowAccess, slot: Int) -> Double { access.row.real(slot) }
  /// Writes a number; NaN, which SQLite cannot store, becomes a missing value.
  @inlinable
  public func _write(to object: ManagedObject, slot: Int) {
    if isNaN { object._clear(slot) } else { object._writeBits(bitPattern, slot) }
  }
}

extension Float: SlotValue {
  /// Whether the type is Float or Double.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .float || type == .double
  }
  /// Reads a number.
  @inlinable
  public static func _read(_ access: _RowAccess, slot: Int) -> Float {
    Float(access.row.real(slot))
  }
  /// Writes a number; NaN, which SQLite cannot store, becomes a missing value.
  @inlinable
  public func _write(to object: ManagedObject, slot: Int) {
    Double(self)._write(to: object, slot: slot)
  }
}

extension Date: SlotValue {
  /// Whether the type is Date.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .date
  }
  /// Reads a date.
  @inlinable
  public static func _read(_ access: _RowAccess, slot: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: access.row.real(slot))
  }
  /// Writes a date.
  @inlinable
  public func _write(to object: ManagedObject, slot: Int) {
    timeIntervalSinceReferenceDate._write(to: object, slot: slot)
  }
}

extension Decimal: SlotValue {
  /// Whether the type is Decimal.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .decimal
  }
  /// Reads a decimal number from the floating-point number that the store keeps.
  public static func _read(_ access: _RowAccess, slot: Int) -> Decimal {
    Decimal(stored: access.row.real(slot))
  }
  /// Writes a decimal number; precision beyond 15 digits is lost, as in Core Data's SQLite stores.
  public func _write(to object: ManagedObject, slot: Int) {
    stored._write(to: object, slot: slot)
  }
}

extension Decimal {
  /// Reads the shortest decimal with the same stored value: 19.99 and not 19.989999999999998464.
  ///
  /// Not a number if the store is damaged and has infinity.
  init(stored number: Double) {
    self = number.isFinite ? Decimal(string: number.description) ?? .nan : .nan
  }

  /// The floating-point number that the store keeps.
  var stored: Double { Double(description) ?? .nan }
}

extension String: SlotValue {
  /// Whether the type is String.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .string
  }
  /// Reads UTF-8; invalid bytes in a damaged store become U+FFFD.
  @inlinable
  public static func _read(_ access: _RowAccess, slot: Int) -> String {
    String(decoding: access.row.bytes(slot), as: UTF8.self)
  }
  /// Writes UTF-8.
  public func _write(to object: ManagedObject, slot: Int) {
    var text = self
    text.withUTF8 { object._writeBytes(UnsafeRawBufferPointer($0), slot) }
  }
}

extension URL: SlotValue {
  /// Whether the type is URI.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .uri
  }
  /// Reads a URL from its text; an invalid one becomes `about:blank`.
  public static func _read(_ access: _RowAccess, slot: Int) -> URL {
    URL(string: String._read(access, slot: slot)) ?? URL(string: "about:blank")!
  }
  /// Writes the URL's text.
  public func _write(to object: ManagedObject, slot: Int) {
    absoluteString._write(to: object, slot: slot)
  }
}

extension UUID: SlotValue {
  /// Whether the type is UUID.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .uuid
  }
  /// Reads 16 bytes; a damaged value becomes the UUID of zeros.
  @inlinable
  public static func _read(_ access: _RowAccess, slot: Int) -> UUID {
    let bytes = access.row.bytes(slot)
    guard bytes.count == 16 else {
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
  /// Writes the 16 bytes.
  public func _write(to object: ManagedObject, slot: Int) {
    withUnsafeBytes(of: uuid) { object._writeBytes($0, slot) }
  }
}

extension Data: SlotValue {
  /// Whether the type is Binary Data.
  public static func _isValue(of type: AttributeDescription.AttributeType) -> Bool {
    type == .binaryData
  }
  /// Reads a copy of the bytes.
  public static func _read(_ access: _RowAccess, slot: Int) -> Data { Data(access.row.bytes(slot)) }
  /// Writes the bytes.
  public func _write(to object: ManagedObject, slot: Int) {
    withUnsafeBytes { object._writeBytes($0, slot) }
  }
}

extension ExpressibleByScalar where Self: Numeric {
  /// Zero.
  @inlinable
  public static var zeroScalar: Self { 0 }
}

extension Int16: ExpressibleByScalar {}
extension Int32: ExpressibleByScalar {}
extension Int64: ExpressibleByScalar {}
extension Double: ExpressibleByScalar {}
extension Float: ExpressibleByScalar {}

extension Bool: ExpressibleByScalar {
  /// False.
  @inlinable
  public static var zeroScalar: Bool { false }
}

extension Date: ExpressibleByScalar {
  /// The reference date, 2001-01-01 00:00 UTC.
  @inlinable
  public static var zeroScalar: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

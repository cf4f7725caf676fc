public import SystemLibraries

/// A value of an attribute of any type: a default, an argument of a predicate, a value by key.
///
///     let name: AttributeValue = .string("Fido")
public enum AttributeValue: Sendable, Hashable {
  /// An integer of any width.
  case integer(Int64)
  /// A floating-point number of either width.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// True or false.
  case boolean(Bool)
  /// Text.
  case string(String)
  /// A date.
  case date(Date)
  /// Bytes.
  case binary(Data)
  /// A UUID.
  case uuid(UUID)
  /// A URL.
  case uri(URL)
}

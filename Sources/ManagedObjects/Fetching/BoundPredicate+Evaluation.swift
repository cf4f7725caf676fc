import DataModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Gives the row that a to-one of a row leads to, or nil; the to-one has a value.
typealias RowLookup = (_ toOne: EntityBinding.ToOne, _ row: PackedRow) -> PackedRow?

extension BoundPredicate {
  /// Whether a row meets the condition: the same answer as the SQL gives.
  func matches(_ row: PackedRow, key: Int64, lookup: RowLookup) -> Bool {
    switch self {
    case .constant(let value): return value
    case .comparison(let path, let how, let value):
      return how.holds(path.value(in: row, lookup: lookup), value)
    case .isIn(let path, let values):
      guard let value = path.value(in: row, lookup: lookup) else { return false }
      return values.contains { value.compare($0) == 0 }
    case .leads(let path, let keys):
      guard let end = path.end(of: row, lookup: lookup), end.hasValue(path.slot) else {
        return false
      }
      return keys.contains(end.integer(path.slot))
    case .selfIn(let keys): return keys.contains(key)
    case .all(let parts): return parts.allSatisfy { $0.matches(row, key: key, lookup: lookup) }
    case .any(let parts): return parts.contains { $0.matches(row, key: key, lookup: lookup) }
    case .not(let part): return !part.matches(row, key: key, lookup: lookup)
    }
  }
}

extension BoundKeyPath {
  /// The row at the end of the to-ones, or nil where one leads nowhere.
  func end(of row: PackedRow, lookup: RowLookup) -> PackedRow? {
    var row = row
    for hop in hops {
      guard row.hasValue(hop.slot), let next = lookup(hop, row) else { return nil }
      row = next
    }
    return row
  }

  /// The value at the end; a key counts as a whole number.
  func value(in row: PackedRow, lookup: RowLookup) -> AttributeValue? {
    end(of: row, lookup: lookup)?.value(at: slot, type: type ?? .integer64)
  }
}

extension FetchPredicate.Operator {
  /// Compares as Core Data does: two-valued, with a missing value equal only to another.
  func holds(_ one: AttributeValue?, _ other: AttributeValue?) -> Bool {
    guard let one, let other else {
      switch self {
      case .equal: return one == nil && other == nil
      case .notEqual: return (one == nil) != (other == nil)
      default: return false
      }
    }
    let order = one.compare(other)
    switch self {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .lessThan: return order < 0
    case .lessThanOrEqual: return order <= 0
    case .greaterThan: return order > 0
    case .greaterThanOrEqual: return order >= 0
    default: preconditionFailure("The binder lets no other operator through.")
    }
  }
}

extension AttributeValue {
  /// Whether the value is a number that is none.
  var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .integer, .boolean, .string, .binary, .uuid, .uri: false
    }
  }

  /// Negative, zero or positive as this value stands before, with or behind another.
  ///
  /// As SQLite orders stored values: numbers by size, texts by their UTF-8, bytes.
  func compare(_ other: AttributeValue) -> Int {
    switch (storageClass, other.storageClass) {
    case (.integer(let one), .integer(let other)): one == other ? 0 : one < other ? -1 : 1
    case (.integer(let one), .real(let other)): Self.order(one, other)
    case (.real(let one), .integer(let other)): -Self.order(other, one)
    case (.real(let one), .real(let other)): Self.order(one, other)
    case (.bytes(let one), .bytes(let other)), (.text(let one), .text(let other)):
      one.elementsEqual(other) ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    default:
      preconditionFailure(
        "Values of two kinds were compared, which the binder does not let through.")
    }
  }

  /// Compares exactly: a whole number may have more digits than a double holds.
  private static func order(_ one: Int64, _ other: Double) -> Int {
    if other >= 0x1p63 { return -1 }
    if other < -0x1p63 { return 1 }
    let whole = Int64(other)
    if one != whole { return one < whole ? -1 : 1 }
    return order(0.0, other - Double(whole))
  }

  private static func order(_ one: Double, _ other: Double) -> Int {
    one == other ? 0 : one < other ? -1 : 1
  }

  /// A value as SQLite stores it.
  private enum StorageClass {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case bytes([UInt8])
  }

  private var storageClass: StorageClass {
    switch self {
    case .integer(let number): .integer(number)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .double(let number): .real(number)
    case .decimal(let number): .real(number.stored)
    case .date(let date): .real(date.timeIntervalSinceReferenceDate)
    case .string(let text): .text(Array(text.utf8))
    case .uri(let url): .text(Array(url.absoluteString.utf8))
    case .uuid(let uuid): .bytes(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .binary(let data): .bytes(Array(data))
    }
  }
}

import DataFormats
import DataModel
import SystemLibraries

/// Reads the values of binary stores.
enum BinaryValue {
  /// Reads a value into a row under construction; returns the number of bytes it takes after the
  /// slots, or nil if the value does not have the type.
  static func read(
    _ value: Int, _ archive: BinaryArchive, _ type: AttributeDescription.AttributeType,
    into draft: inout RowDraft, at slot: Int
  ) -> Int? {
    let list = archive.list
    guard let name = archive.className(of: value) else {
      switch type {
      case .integer16, .integer32, .integer64:
        guard let number = list.integer(value), type.holds(number) else { return nil }
        draft.set(UInt64(bitPattern: number), at: slot)
      case .boolean:
        guard let number = list.integer(value) else { return nil }
        draft.set(number == 0 ? 0 : 1, at: slot)
      case .float, .double, .decimal, .date:
        guard let number = list.real(value), !number.isNaN else { return nil }
        draft.set(number.bitPattern, at: slot)
      case .string, .uri:
        guard let text = list.text(value) else { return nil }
        draft.set(text, at: slot)
        return text.count
      case .undefined, .binaryData, .transformable, .composite:
        guard let data = list.data(value) else { return nil }
        draft.set(data, at: slot)
        return data.count
      case .uuid: return nil
      }
      return 0
    }
    if name == "NSNull" { return 0 }
    switch (name, type) {
    case ("NSDate", .date):
      guard let time = archive.value("NS.time", of: value).flatMap(list.real), !time.isNaN else {
        return nil
      }
      draft.set(time.bitPattern, at: slot)
    case ("NSDecimalNumber", .decimal):
      guard let number = archive.decimal(value)?.stored, !number.isNaN else { return nil }
      draft.set(number.bitPattern, at: slot)
    case ("NSString", .string), ("NSMutableString", .string):
      guard let text = archive.value("NS.string", of: value).flatMap(list.text) else { return nil }
      draft.set(text, at: slot)
      return text.count
    case ("NSURL", .uri):
      guard let text = archive.value("NS.relative", of: value).flatMap(list.text) else {
        return nil
      }
      draft.set(text, at: slot)
      return text.count
    case ("NSUUID", .uuid):
      guard let data = archive.value("NS.uuidbytes", of: value).flatMap(list.data),
        data.count == 16
      else { return nil }
      draft.set(data, at: slot)
      return 16
    case ("NSData", _), ("NSMutableData", _):
      guard [.undefined, .binaryData, .transformable, .composite].contains(type),
        let data = archive.value("NS.data", of: value).flatMap(list.data)
      else { return nil }
      draft.set(data, at: slot)
      return data.count
    default: return nil
    }
    return 0
  }
}

extension AttributeDescription.AttributeType {
  /// Whether an integer fits the type.
  fileprivate func holds(_ number: Int64) -> Bool {
    switch self {
    case .integer16: Int16(exactly: number) != nil
    case .integer32: Int32(exactly: number) != nil
    default: true
    }
  }
}

extension BinaryArchive {
  /// The decimal number that an archived object represents.
  fileprivate func decimal(_ object: Int) -> Decimal? {
    guard let mantissa = value("NS.mantissa", of: object).flatMap(list.data),
      let exponent = value("NS.exponent", of: object).flatMap(list.integer)
    else { return nil }
    return Decimal(
      archivedMantissa: Array(mantissa), exponent: exponent,
      isNegative: value("NS.negative", of: object).flatMap(list.integer) == 1,
      byteOrder: value("NS.mantissa.bo", of: object).flatMap(list.integer))
  }
}

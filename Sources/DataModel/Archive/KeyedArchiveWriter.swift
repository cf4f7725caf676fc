import DataFormats
import SystemLibraries

/// Writes values as keyed archives that Foundation's unarchiver reads as its own classes.
///
/// Supports all results of `KeyedArchiveReader`, numbers of every size, and nil in a collection,
/// which becomes `NSNull`. Equal strings are written once.
package struct KeyedArchiveWriter {
  private var objects = KeyedArchiveObjects()
  /// The object that represents nil in every collection, once there is one.
  private var null: PropertyList?

  /// The archive of a value, as a binary property list.
  ///
  /// - Throws: `KeyedArchiveError.unknownType` for a value, or one in it, that has no class in an
  ///   archive.
  package static func bytes(of value: Any) throws(KeyedArchiveError) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = try writer.reference(to: value)
    return writer.objects.archive(root: root)
  }

  private init() {}

  private mutating func reference(to value: Any) throws(KeyedArchiveError) -> PropertyList {
    guard let value = Self.swiftValue(value) else { return referenceToNull() }
    switch value {
    case let text as String: return objects.reference(toText: text)
    case let flag as Bool: return objects.add(.boolean(flag))
    case let number as any BinaryInteger:
      if let integer = Int64(exactly: number) { return objects.add(.integer(integer)) }
      guard let integer = UInt64(exactly: number) else { throw unknown(value) }
      return objects.add(.unsignedInteger(integer))
    case let number as any BinaryFloatingPoint: return objects.add(.real(Double(number)))
    case let decimal as Decimal: return objects.add(decimal)
    case let data as Data: return objects.add(.data(data))
    case let date as Date: return objects.add(date)
    case let url as URL: return objects.add(url)
    case let uuid as UUID: return objects.add(uuid)
    case let members as [Any]:
      return objects.add(try references(to: members))
    case let entries as [AnyHashable: Any]:
      // In the order of their descriptions, so that equal dictionaries always give the same bytes.
      let sorted = entries.sorted { "\($0.key)" < "\($1.key)" }
      let keys = try references(to: sorted.map(\.key.base))
      let values = try references(to: sorted.map(\.value))
      return objects.add(
        ["NS.keys": .array(keys), "NS.objects": .array(values)], class: "NSDictionary")
    case let members as Set<AnyHashable>:
      let sorted = members.map(\.base).sorted { "\($0)" < "\($1)" }
      return objects.add(try references(to: sorted), class: "NSSet")
    default: throw unknown(value)
    }
  }

  private mutating func references(to values: [Any]) throws(KeyedArchiveError) -> [PropertyList] {
    var list: [PropertyList] = []
    for value in values { list.append(try reference(to: value)) }
    return list
  }

  private mutating func referenceToNull() -> PropertyList {
    if let null { return null }
    let reference = objects.add([:], class: "NSNull")
    null = reference
    return reference
  }

  private func unknown(_ value: Any) -> KeyedArchiveError { .unknownType("\(type(of: value))") }
}

extension KeyedArchiveObjects {
  /// Adds a date.
  mutating func add(_ date: Date) -> PropertyList {
    add(["NS.time": .real(date.timeIntervalSinceReferenceDate)], class: "NSDate")
  }

  /// Adds a URL, and its base URL.
  mutating func add(_ url: URL) -> PropertyList {
    let base = url.baseURL.map { add($0) }
    return add(
      ["NS.base": base ?? Self.null, "NS.relative": reference(toText: url.relativeString)],
      class: "NSURL")
  }

  /// Adds a UUID.
  mutating func add(_ uuid: UUID) -> PropertyList {
    add(["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })], class: "NSUUID")
  }
}

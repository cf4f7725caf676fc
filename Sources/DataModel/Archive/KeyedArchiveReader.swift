import SystemLibraries

/// Reads the values of Foundation's own classes from keyed archives.
///
/// An array is an `[Any]`, a dictionary an `[AnyHashable: Any]`, a set a `Set<AnyHashable>`, a
/// number an `Int`, `UInt64`, `Double`, `Decimal` or `Bool`; strings, dates, data, URLs and UUIDs
/// have Swift's types. `NSNull` in a collection is nil, an empty optional at its index or under its
/// key.
package struct KeyedArchiveReader {
  private let archive: KeyedArchive
  private var depth = 0
  /// The number of objects that may still be read: a few that refer to each other could expand
  /// without limit.
  private var allowance: Int

  private static let maximumDepth = 128
  private static let leastAllowance = 100_000

  /// Reads the root object of an archive; `nil` if there is none.
  ///
  /// Safe for untrusted bytes.
  ///
  /// - Throws: `KeyedArchiveError` if the bytes are no archive, or contain an object of another
  ///   class.
  package static func value(of bytes: some Sequence<UInt8>) throws(KeyedArchiveError) -> Any? {
    let list: PropertyList
    do throws(PropertyListError) {
      list = try PropertyList(binary: bytes)
    } catch {
      throw .notAnArchive
    }
    guard let archive = KeyedArchive(list) else { throw .notAnArchive }
    var reader = KeyedArchiveReader(
      archive: archive, allowance: max(leastAllowance, archive.objectCount * 16))
    return try archive.rootValue.flatMap { value throws(KeyedArchiveError) in
      try reader.value(value)
    }
  }

  private init(archive: KeyedArchive, allowance: Int) {
    self.archive = archive
    self.allowance = allowance
  }

  private mutating func value(_ list: PropertyList) throws(KeyedArchiveError) -> Any? {
    allowance -= 1
    depth += 1
    defer { depth -= 1 }
    guard allowance > 0, depth <= Self.maximumDepth else { throw .tooDeep }
    switch list {
    case .string(let text): return text
    case .data(let data): return data
    case .date(let date): return date
    case .integer(let integer): return Int(exactly: integer) ?? integer
    case .unsignedInteger(let integer): return integer
    case .real(let double): return double
    case .boolean(let flag): return flag
    case .dictionary:
      guard let object = archive.object(list) else { throw .notAnArchive }
      return try value(of: object)
    case .array, .uid: throw .notAnArchive
    }
  }

  private mutating func value(
    of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> Any? {
    let name = object.className
    switch name {
    case "NSArray", "NSMutableArray": return try members("NS.objects", of: object)
    case "NSSet", "NSMutableSet": return Set(try hashable(try members("NS.objects", of: object)))
    case "NSDictionary", "NSMutableDictionary":
      let keys = try hashable(try members("NS.keys", of: object))
      let values = try members("NS.objects", of: object)
      guard keys.count == values.count else { throw .notAnArchive }
      return Dictionary(zip(keys, values)) { first, _ in first }
    case "NSString", "NSMutableString": return try found(object.text("NS.string"))
    case "NSData", "NSMutableData":
      guard case .data(let data)? = object["NS.data"] else { throw .notAnArchive }
      return data
    case "NSDate":
      guard case .real(let seconds)? = object["NS.time"] else { throw .notAnArchive }
      return Date(timeIntervalSinceReferenceDate: seconds)
    case "NSURL":
      let base = object.object("NS.base").flatMap { $0.text("NS.relative") }
      return try found(
        object.text("NS.relative").flatMap { text in
          base.flatMap { URL(string: $0) }.map { URL(string: text, relativeTo: $0) }
            ?? URL(string: text)
        })
    case "NSUUID":
      guard case .data(let data)? = object["NS.uuidbytes"], data.count == 16 else {
        throw .notAnArchive
      }
      return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case "NSDecimalNumber": return try found(object.decimal)
    case "NSNull": return nil
    default: throw .unknownClass(name)
    }
  }

  private mutating func members(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [Any] {
    var members: [Any] = []
    for list in try found(object.completeList(key)) {
      if let member = try value(list) {
        members.append(member)
      } else {
        // The members after it keep their indexes.
        members.append(nil as Any? as Any)
      }
    }
    return members
  }

  private func hashable(_ values: [Any]) throws(KeyedArchiveError) -> [AnyHashable] {
    var result: [AnyHashable] = []
    for value in values {
      guard flattened(value) != nil else {
        result.append(AnyHashable(nil as AnyHashable?))
        continue
      }
      guard let value = value as? AnyHashable else { throw .notAnArchive }
      result.append(value)
    }
    return result
  }

  private func found<Value>(_ value: Value?) throws(KeyedArchiveError) -> Value {
    guard let value else { throw .notAnArchive }
    return value
  }
}

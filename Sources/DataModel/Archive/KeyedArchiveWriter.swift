#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes values as keyed archives that Foundation's unarchiver reads as its own classes.
///
/// Takes what `KeyedArchiveReader` gives, and numbers of every size. Equal texts are written once.
package struct KeyedArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: PropertyList] = [:]
  private var texts: [String: PropertyList] = [:]

  /// The archive of a value, as a binary property list.
  ///
  /// - Throws: `KeyedArchiveError.unknownType` for a value, or one in it, that no class stands for.
  package static func bytes(of value: Any) throws(KeyedArchiveError) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = try writer.reference(to: value)
    return PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": root]), "$objects": .array(writer.objects),
    ]).binary
  }

  private init() {}

  private mutating func reference(to value: Any) throws(KeyedArchiveError) -> PropertyList {
    switch value {
    case let text as String: return reference(toText: text)
    case let flag as Bool: return add(.boolean(flag))
    case let number as any BinaryInteger:
      if let integer = Int64(exactly: number) { return add(.integer(integer)) }
      guard let integer = UInt64(exactly: number) else { throw unknown(value) }
      return add(.unsignedInteger(integer))
    case let number as any BinaryFloatingPoint: return add(.real(Double(number)))
    case let data as Data: return add(.data(data))
    case let date as Date:
      return add(["NS.time": .real(date.timeIntervalSinceReferenceDate)], class: "NSDate")
    case let url as URL:
      let base = try url.baseURL.map { url throws(KeyedArchiveError) in try reference(to: url) }
      let relative = reference(toText: url.relativeString)
      return add(["NS.base": base ?? .uid(0), "NS.relative": relative], class: "NSURL")
    case let uuid as UUID:
      let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
      return add(["NS.uuidbytes": .data(bytes)], class: "NSUUID")
    case let members as [Any]:
      return add(["NS.objects": try references(to: members)], class: "NSArray")
    case let entries as [AnyHashable: Any]:
      // In the order of their descriptions, so that a dictionary always gives the same bytes.
      let sorted = entries.sorted { "\($0.key)" < "\($1.key)" }
      let keys = try references(to: sorted.map(\.key.base))
      return add(
        ["NS.keys": keys, "NS.objects": try references(to: sorted.map(\.value))],
        class: "NSDictionary")
    case let members as Set<AnyHashable>:
      let sorted = members.map(\.base).sorted { "\($0)" < "\($1)" }
      return add(["NS.objects": try references(to: sorted)], class: "NSSet")
    default: throw unknown(value)
    }
  }

  private mutating func references(to values: [Any]) throws(KeyedArchiveError) -> PropertyList {
    var list: [PropertyList] = []
    for value in values { list.append(try reference(to: value)) }
    return .array(list)
  }

  private mutating func reference(toText text: String) -> PropertyList {
    // By its bytes: two forms of one text stay two.
    if let known = texts[text], case .uid(let number) = known,
      case .string(let written) = objects[Int(number)],
      written.utf8.elementsEqual(text.utf8)
    {
      return known
    }
    // The text that stands for nothing needs an object around it.
    let reference =
      text == "$null" ? add(["NS.string": .string(text)], class: "NSString") : add(.string(text))
    texts[text] = reference
    return reference
  }

  private mutating func add(
    _ entries: [String: PropertyList], class name: String
  ) -> PropertyList {
    add(.dictionary(entries.merging(["$class": reference(toClass: name)]) { first, _ in first }))
  }

  private mutating func reference(toClass name: String) -> PropertyList {
    if let known = classes[name] { return known }
    let reference = add(
      .dictionary([
        "$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")]),
      ]))
    classes[name] = reference
    return reference
  }

  private mutating func add(_ object: PropertyList) -> PropertyList {
    objects.append(object)
    return .uid(UInt64(objects.count - 1))
  }

  private func unknown(_ value: Any) -> KeyedArchiveError { .unknownType("\(type(of: value))") }
}

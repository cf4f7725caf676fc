package import DataFormats

/// A keyed archive: objects that refer to each other by number, as `NSKeyedArchiver` writes them.
///
/// Its contents are not trusted: a reference may be out of range, or part of a cycle. So every
/// look-up may return nothing, and references are never followed without a limit.
///
///     let archive = KeyedArchive(list)
///     archive?.root?.text("NSEntityName")
package struct KeyedArchive: Sendable {
  /// An object of the archive: its entries, and the archive to resolve their references.
  package struct Object: Sendable {
    fileprivate let archive: KeyedArchive
    fileprivate let entries: [String: PropertyList]

    /// The value of a key, resolved if it is a reference; nil for none and for `$null`.
    package subscript(key: String) -> PropertyList? { entries[key].flatMap(archive.resolve) }

    /// The object of a key.
    package func object(_ key: String) -> Object? { self[key].flatMap(archive.object) }

    /// The string of a key.
    package func text(_ key: String) -> String? { self[key].flatMap(archive.text) }

    /// The integer of a key.
    package func integer(_ key: String) -> Int64? {
      if case .integer(let integer)? = self[key] { integer } else { nil }
    }

    /// The Boolean of a key; false if there is none.
    package func flag(_ key: String) -> Bool {
      switch self[key] {
      case .boolean(let flag): flag
      case .integer(let integer): integer != 0
      default: false
      }
    }

    /// The members of the array or set of a key.
    package func members(_ key: String) -> [PropertyList] { object(key)?.list("NS.objects") ?? [] }

    /// The objects by name in the dictionary of a key.
    package func dictionary(_ key: String) -> [(name: String, value: PropertyList)] {
      guard let dictionary = object(key) else { return [] }
      var (keys, values) = (dictionary.list("NS.keys"), dictionary.list("NS.objects"))
      // Core Data's own class of dictionary, whose keys are shared.
      if let mapping = dictionary.object("searchMapping") {
        (keys, values) = (mapping.members("keys"), dictionary.members("values"))
      }
      return zip(keys, values).compactMap { key, value in
        archive.text(key).map { ($0, value) }
      }
    }

    /// The members, if the object itself is an array or a set; the values of a dictionary.
    package var directMembers: [PropertyList] { list("NS.objects") }

    /// The keys, if the object itself is a dictionary.
    package var directKeys: [PropertyList] { list("NS.keys") }

    /// A value of the archive as an object, or nil.
    package func object(of value: PropertyList) -> Object? { archive.object(value) }

    /// A value of the archive as a string, or nil.
    package func text(of value: PropertyList) -> String? { archive.text(value) }

    /// The name of the object's class.
    package var className: String { object("$class")?.text("$classname") ?? "" }

    /// The members of the array under a key, all at their indexes; nil if one cannot be resolved.
    ///
    /// Empty if there is no such array.
    package func completeList(_ key: String) -> [PropertyList]? {
      guard case .array(let members)? = entries[key] else { return [] }
      let found = members.compactMap(archive.resolve)
      return found.count == members.count ? found : nil
    }

    private func list(_ key: String) -> [PropertyList] {
      guard case .array(let members)? = entries[key] else { return [] }
      return members.compactMap(archive.resolve)
    }
  }

  private let objects: [PropertyList]
  /// The reference to the root object.
  private let rootReference: PropertyList

  /// Creates an archive from a property list; nil if it is not one.
  package init?(_ list: PropertyList) {
    guard case .dictionary(let entries) = list, case .array(let objects)? = entries["$objects"],
      case .dictionary(let top)? = entries["$top"],
      let root = top["root"] ?? top.min(by: { $0.key < $1.key })?.value
    else { return nil }
    self.objects = objects
    rootReference = root
  }

  /// The number of objects.
  package var objectCount: Int { objects.count }

  /// The root, an object or a plain value; nil for `$null`.
  package var rootValue: PropertyList? { resolve(rootReference) }

  /// The root object.
  package var root: Object? { resolve(rootReference).flatMap(object) }

  /// A value as an object, or nil.
  package func object(_ value: PropertyList) -> Object? {
    guard case .dictionary(let entries) = value else { return nil }
    return Object(archive: self, entries: entries)
  }

  /// A value as a string, which may be an object of `NSMutableString`; or nil.
  package func text(_ value: PropertyList) -> String? {
    switch value {
    case .string(let text): text
    case .dictionary(let entries): entries["NS.string"].flatMap(resolve).flatMap(plainText)
    default: nil
    }
  }

  private func plainText(_ value: PropertyList) -> String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// The value that a reference refers to, or the value itself.
  ///
  /// nil for `$null` and for a reference out of range.
  private func resolve(_ value: PropertyList) -> PropertyList? {
    guard case .uid(let number) = value else { return value }
    guard number != 0, number < objects.count else { return nil }
    return objects[Int(number)]
  }
}

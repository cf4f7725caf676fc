import DataFormats

/// Builds the objects of a keyed archive, which refer to each other by number.
///
/// Equal strings are written once. An object to which others refer before it is complete is
/// reserved first.
struct KeyedArchiveObjects: Sendable {
  /// The reference to `$null`.
  static let null = PropertyList.uid(0)

  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: PropertyList] = [:]
  private var texts: [String: PropertyList] = [:]

  /// The superclasses of classes that have others than `NSObject`, the nearest first.
  private static let superclasses = [
    "NSMutableArray": ["NSArray"],
    "NSMutableDictionary": ["NSDictionary"],
    "NSKnownKeysDictionary1": ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"],
    "NSKnownKeysMappingStrategy1": ["NSKnownKeysMappingStrategy"],
    "NSDecimalNumber": ["NSNumber", "NSValue"],
    "NSAttributeDescription": ["NSPropertyDescription"],
    "NSDerivedAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSCompositeAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSRelationshipDescription": ["NSPropertyDescription"],
    "NSComparisonPredicate": ["NSPredicate"],
    "NSComparisonPredicateOperator": ["NSPredicateOperator"],
    "NSFunctionExpression": ["NSExpression"],
    "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression"],
    "NSKeyPathSpecifierExpression": ["NSExpression"],
    "NSConstantValueExpression": ["NSExpression"],
    "NSSelfExpression": ["NSExpression"],
  ]

  /// The archive as a binary property list.
  func archive(root: PropertyList) -> [UInt8] {
    PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": root]), "$objects": .array(objects),
    ]).binary
  }

  /// Adds a plain value.
  mutating func add(_ object: PropertyList) -> PropertyList {
    objects.append(object)
    return .uid(UInt64(objects.count - 1))
  }

  /// Adds an object of a class.
  mutating func add(_ entries: [String: PropertyList], class name: String) -> PropertyList {
    let reference = reserve()
    fill(reference, entries, class: name)
    return reference
  }

  /// Adds an array, or another collection that has only members.
  mutating func add(_ members: [PropertyList], class name: String = "NSArray") -> PropertyList {
    add(["NS.objects": .array(members)], class: name)
  }

  /// Adds a dictionary from strings to objects.
  mutating func add(
    _ entries: [(name: String, value: PropertyList)], class name: String = "NSMutableDictionary"
  ) -> PropertyList {
    let keys = entries.map { reference(toText: $0.name) }
    return add(
      ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))], class: name)
  }

  /// A reference to an object that is filled later.
  mutating func reserve() -> PropertyList { add(Self.null) }

  /// Sets the contents of a reserved object.
  mutating func fill(
    _ reference: PropertyList, _ entries: [String: PropertyList], class name: String
  ) {
    guard case .uid(let number) = reference else { return }
    var entries = entries
    entries["$class"] = self.reference(toClass: name)
    objects[Int(number)] = .dictionary(entries)
  }

  /// A reference to a string; to `$null` for nil.
  mutating func reference(toText text: String?) -> PropertyList {
    guard let text else { return Self.null }
    // Compared by bytes: strings that differ in their Unicode normalisation are kept apart.
    if let known = texts[text], case .uid(let number) = known,
      case .string(let written) = objects[Int(number)],
      written.utf8.elementsEqual(text.utf8)
    {
      return known
    }
    // The string "$null" needs an object around it, since it represents nil by itself.
    let reference =
      text == "$null" ? add(["NS.string": .string(text)], class: "NSString") : add(.string(text))
    texts[text] = reference
    return reference
  }

  private mutating func reference(toClass name: String) -> PropertyList {
    if let known = classes[name] { return known }
    let lineage = [name] + (Self.superclasses[name] ?? []) + ["NSObject"]
    let reference = add(
      .dictionary([
        "$classname": .string(name), "$classes": .array(lineage.map { .string($0) }),
      ]))
    classes[name] = reference
    return reference
  }
}

import DataFormats

/// The objects of a keyed archive in the making, which refer to each other by number.
///
/// Equal texts are written once. An object that others refer to before it is complete is reserved
/// first.
struct KeyedArchiveObjects: Sendable {
  /// What stands for nothing.
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

  /// Adds an array, or another collection that has members alone.
  mutating func add(_ members: [PropertyList], class name: String = "NSArray") -> PropertyList {
    add(["NS.objects": .array(members)], class: name)
  }

  /// Adds a dictionary from texts to objects.
  mutating func add(
    _ entries: [(name: String, value: PropertyList)], class name: String = "NSMutableDictionary"
  ) -> PropertyList {
    let keys = entries.map { reference(toText: $0.name) }
    return add(
      ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))], class: name)
  }

  /// A reference to an object that is filled later.
  mutating func reserve() -> PropertyList { add(Self.null) }

  /// Says what a reserved object is.
  mutating func fill(
    _ reference: PropertyList, _ entries: [String: PropertyList], class name: String
  ) {
    guard case .uid(let number) = reference else { return }
    var entries = entries
    entries["$class"] = self.reference(toClass: name)
    objects[Int(number)] = .dictionary(entries)
  }

  /// A reference to a text; to nothing for nil.
  mutating func reference(toText text: String?) -> PropertyList {
    guard let text else { return Self.null }
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

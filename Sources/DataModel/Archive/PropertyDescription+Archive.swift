package import DataFormats
import SystemLibraries

extension PropertyDescription {
  /// Reads an archived property; nil for a fetched one.
  init?(archived object: KeyedArchive.Object, named name: String) {
    // Some archives wrap an inherited property of a subentity.
    let object = object.object("NSUnderlyingProperty") ?? object
    switch object.className {
    case "NSRelationshipDescription":
      guard let relationship = RelationshipDescription(archived: object, named: name) else {
        return nil
      }
      self = .relationship(relationship)
    case "NSAttributeDescription", "NSDerivedAttributeDescription",
      "NSCompositeAttributeDescription":
      self = .attribute(AttributeDescription(archived: object, named: name))
    default:
      return nil
    }
  }
}

extension KeyedArchive.Object {
  /// The flags of all types of properties: as separate keys, or as bits of one number.
  fileprivate struct Flags: Sendable {
    var isOptional: Bool
    var isTransient: Bool
    var isOrdered: Bool

    init(_ object: KeyedArchive.Object) {
      let bits = object.integer("_P") ?? 0
      isOptional = object.flag("NSIsOptional") || bits & 2 != 0
      isTransient = object.flag("NSIsTransient") || bits & 8 != 0
      isOrdered = object.flag("NSIsOrdered") || bits & 0x400 != 0
    }
  }

  fileprivate var flags: Flags { Flags(self) }

  /// The renaming identifier, or nil if an archive repeats the name in it.
  func renamingIdentifier(besides name: String) -> String? {
    text("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
  }
}

extension AttributeDescription {
  /// - Parameter isElement: whether it is an element of a composite; elements have none themselves.
  fileprivate init(
    archived object: KeyedArchive.Object, named name: String, isElement: Bool = false
  ) {
    let type =
      object.integer("NSAttributeType").flatMap(Int32.init(exactly:))
      .flatMap(AttributeType.init) ?? .undefined
    let storage = object.integer("NSFlagsKey") ?? 0
    let bounds = object.bounds(of: type)
    self.init(
      name: name,
      type: type,
      isOptional: object.flags.isOptional,
      isTransient: object.flags.isTransient,
      defaultValue: object["NSDefaultValue"].flatMap { object.value($0, type: type) },
      allowsExternalBinaryDataStorage: storage & 4 != 0,
      preservesValueInHistoryOnDeletion: storage & 16 != 0,
      versionHashModifier: object.text("NSVersionHashModifier"),
      renamingIdentifier: object.renamingIdentifier(besides: name),
      minimumValue: bounds.last { $0.isMinimum }?.value,
      maximumValue: bounds.last { !$0.isMinimum }?.value,
      derivationExpression: object.object("NSDerivationExpression")?.expressionText(depth: 0),
      valueTransformerName: object.text("NSValueTransformerName"),
      attributeValueClassName: type == .transformable
        ? object.text("NSAttributeValueClassName") : nil,
      elements: isElement ? [] : object.elements,
      isIndexed: object.flag("NSIsIndexed"),
      userInfo: object.userInfo)
  }
}

extension KeyedArchive.Object {
  /// The attributes that a composite consists of.
  fileprivate var elements: [AttributeDescription] {
    members("NSElements").compactMap { value in
      object(of: value).flatMap { element in
        element.text("NSPropertyName").map {
          AttributeDescription(archived: element, named: $0, isElement: true)
        }
      }
    }
  }

  /// The object as a URL.
  fileprivate var url: URL? {
    let base = object("NS.base")?.text("NS.relative").flatMap { URL(string: $0) }
    return text("NS.relative").flatMap { URL(string: $0, relativeTo: base) }
  }
}

extension RelationshipDescription {
  fileprivate init?(archived object: KeyedArchive.Object, named name: String) {
    guard
      let destination = object.text("_NSDestinationEntityName")
        ?? object.object("NSDestinationEntity")?.text("NSEntityName")
    else { return nil }
    self.init(
      name: name,
      destinationEntityName: destination,
      inverseName: object.text("_NSInverseRelationshipName"),
      isOptional: object.flags.isOptional,
      isTransient: object.flags.isTransient,
      minCount: Int(object.integer("NSMinCount") ?? 0),
      maxCount: Int(object.integer("NSMaxCount") ?? 0),
      isOrdered: object.flags.isOrdered,
      deleteRule: object.integer("NSDeleteRule").flatMap { DeleteRule(rawValue: Int($0)) }
        ?? .nullify,
      versionHashModifier: object.text("NSVersionHashModifier"),
      renamingIdentifier: object.renamingIdentifier(besides: name),
      userInfo: object.userInfo)
  }
}

extension KeyedArchive.Object {
  /// A default value or a bound, as the value of an attribute of a type.
  ///
  /// nil if a model cannot have it.
  package func value(
    _ value: PropertyList, type: AttributeDescription.AttributeType
  ) -> AttributeValue? {
    switch (type, value) {
    case (.integer16, .integer(let integer)), (.integer32, .integer(let integer)),
      (.integer64, .integer(let integer)):
      return .integer(integer)
    case (.double, .real(let number)), (.float, .real(let number)): return .double(number)
    case (.double, .integer(let integer)), (.float, .integer(let integer)):
      return .double(Double(integer))
    case (.boolean, .boolean(let flag)): return .boolean(flag)
    case (.boolean, .integer(let integer)): return .boolean(integer != 0)
    case (.string, _): return text(of: value).map(AttributeValue.string)
    case (.date, .date(let date)): return .date(date)
    case (.binaryData, .data(let data)): return .binary(data)
    case (.decimal, _): return object(of: value)?.decimal.map(AttributeValue.decimal)
    case (.uri, _): return object(of: value)?.url.map(AttributeValue.uri)
    default: break
    }
    switch (type, object(of: value)?["NS.time"], object(of: value)?["NS.uuidbytes"]) {
    case (.date, .real(let seconds)?, _):
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.uuid, _, .data(let data)?) where data.count == 16:
      return .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    default: return nil
    }
  }

  /// An archived expression in the form that Core Data hashes: `count:(pages)`.
  fileprivate func expressionText(depth: Int) -> String {
    // Expressions of derived attributes nest two or three deep; a cycle must end.
    guard depth < 6 else { return "" }
    switch integer("NSExpressionType") {
    case 10: return text("NSKeyPath") ?? ""
    case 3:
      let path = members("NSArguments").first.flatMap(object(of:))
      return path?.expressionText(depth: depth + 1) ?? ""
    case 4:
      let arguments = members("NSArguments").prefix(4).map {
        object(of: $0)?.expressionText(depth: depth + 1) ?? ""
      }
      return (text("NSSelectorName") ?? "") + "(" + arguments.joined(separator: ", ") + ")"
    default: return ""
    }
  }
}

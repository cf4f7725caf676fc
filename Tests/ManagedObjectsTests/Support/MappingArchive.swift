import DataFormats
@testable import DataModel
import Foundation

/// Archives of mapping models, built for tests: expressions, compiled mappings, Xcode's copies of
/// models.
struct MappingArchive {
  private var objects = KeyedArchiveObjects()

  /// An archive of one expression.
  static func expression(
    _ build: (inout MappingArchive) -> PropertyList
  ) -> [UInt8] {
    var archive = MappingArchive()
    let root = build(&archive)
    return archive.objects.archive(root: root)
  }

  /// A compiled mapping model with one entity mapping: `DogToHound`, from `Dog` to `Hound`.
  static func mapping(
    _ entries: [String: PropertyList] = [:],
    attributes: [(String, (inout MappingArchive) -> PropertyList)] = [],
    relationships: [(String, (inout MappingArchive) -> PropertyList)] = [],
    notes: [String: String] = [:],
    source: ((inout MappingArchive) -> PropertyList)? = { $0.fetch("Dog", "TRUEPREDICATE") }
  ) -> [UInt8] {
    var archive = MappingArchive()
    var all: [String: PropertyList] = [
      "NSMappingName": archive.text("DogToHound"), "NSSourceEntityName": archive.text("Dog"),
      "NSDestinationEntityName": archive.text("Hound"), "NSMappingType": .integer(1),
      "NSAttributeMappings": archive.properties(attributes, notes),
      "NSRelationshipMappings": archive.properties(relationships),
    ]
    if let source { all["NSSourceExpression"] = source(&archive) }
    all.merge(entries) { $1 }
    let mapping = archive.objects.add(all, class: "NSEntityMapping")
    let root = archive.objects.add(
      ["NSEntityMappings": archive.objects.add([mapping])], class: "NSMappingModel")
    return archive.objects.archive(root: root)
  }

  private mutating func properties(
    _ properties: [(String, (inout MappingArchive) -> PropertyList)],
    _ notes: [String: String] = [:]
  ) -> PropertyList {
    let mappings = properties.map { name, value in
      var entries = ["NSDestinationPropertyName": text(name), "NSValueExpression": value(&self)]
      if !notes.isEmpty { entries["NSUserInfo"] = dictionary(notes) }
      return objects.add(entries, class: "NSPropertyMapping")
    }
    return objects.add(mappings)
  }

  /// A dictionary of texts.
  mutating func dictionary(_ texts: [String: String]) -> PropertyList {
    object(
      "NSDictionary",
      [
        "NS.keys": .array(texts.map { text($0.key) }),
        "NS.objects": .array(texts.map { text($0.value) }),
      ])
  }

  // MARK: Expressions

  mutating func text(_ text: String) -> PropertyList { objects.reference(toText: text) }

  mutating func constant(_ value: PropertyList) -> PropertyList {
    expression("NSConstantValueExpression", 0, ["NSConstantValue": value])
  }

  mutating func variable(_ name: String) -> PropertyList {
    expression("NSVariableExpression", 2, ["NSVariable": text(name)])
  }

  /// `$source.path`.
  mutating func source(_ path: String) -> PropertyList {
    let specifier = expression(
      "NSKeyPathSpecifierExpression", 10, ["NSKeyPath": text(path)])
    return call(
      "valueForKeyPath:", on: variable("source"), [specifier], class: "NSKeyPathExpression")
  }

  /// `FUNCTION(operand, selector, …)`.
  mutating func call(
    _ selector: String, on operand: PropertyList, _ arguments: [PropertyList],
    class name: String = "NSFunctionExpression"
  ) -> PropertyList {
    expression(
      name, 4,
      [
        "NSOperand": operand, "NSSelectorName": text(selector),
        "NSArguments": objects.add(arguments, class: "NSMutableArray"),
      ])
  }

  /// A function of the predicate language.
  mutating func function(_ selector: String, _ arguments: [PropertyList]) -> PropertyList {
    let utilities = expression(
      "NSConstantValueExpression", 0,
      ["NSConstantValueClassName": text("_NSPredicateUtilities")])
    return call(selector, on: utilities, arguments)
  }

  mutating func aggregate(_ members: [PropertyList]) -> PropertyList {
    expression("NSAggregateExpression", 14, ["NSCollection": objects.add(members)])
  }

  /// A predicate: `left operator right`.
  mutating func comparison(
    _ left: PropertyList, _ type: Int64, _ right: PropertyList, modifier: Int64 = 0,
    options: (name: String, value: Int64) = ("NSOptions", 0)
  ) -> PropertyList {
    let how = objects.add(
      [
        "NSOperatorType": .integer(type), "NSModifier": .integer(modifier),
        options.name: .integer(options.value),
      ], class: "NSComparisonPredicateOperator")
    return objects.add(
      ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": how],
      class: "NSComparisonPredicate")
  }

  mutating func compound(_ type: Int64, _ parts: [PropertyList]) -> PropertyList {
    objects.add(
      ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": objects.add(parts)],
      class: "NSCompoundPredicate")
  }

  mutating func fetch(_ entity: String, _ predicate: String) -> PropertyList {
    let request = call(
      "fetchRequestForSourceEntityNamed:predicateString:", on: variable("manager"),
      [constant(text(entity)), constant(text(predicate))])
    return expression("NSFetchRequestExpression", 50, ["NSFRExpression": request])
  }

  mutating func expression(
    _ name: String, _ type: Int64, _ entries: [String: PropertyList]
  ) -> PropertyList {
    objects.add(entries.merging(["NSExpressionType": .integer(type)]) { $1 }, class: name)
  }

  /// An object of a class that an expression has for a constant.
  mutating func object(_ name: String, _ entries: [String: PropertyList]) -> PropertyList {
    objects.add(entries, class: name)
  }

  // MARK: Xcode's copies of models

  /// A model as Xcode keeps it in a mapping model.
  static func xcodeModel(_ model: ManagedObjectModel) -> [UInt8] {
    var archive = MappingArchive()
    let entities = model.entities.map { (name: $0.name, value: archive.objects.reserve()) }
    var properties: [String: PropertyList] = [:]
    for entity in model.entities {
      for property in entity.properties {
        properties["\(entity.name).\(property.name)"] = archive.objects.reserve()
      }
    }
    let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.value) })
    for entity in model.entities { archive.fill(entity, byName, properties) }
    let classes = archive.objects.add(entities)
    let package = archive.objects.add(
      ["XDBucketForClassesstorage": classes], class: "XDModelPackage")
    let root = archive.objects.add(["_xd_rootPackage": package], class: "XDPMModel")
    return archive.objects.archive(root: root)
  }

  private mutating func fill(
    _ entity: EntityDescription, _ entities: [String: PropertyList],
    _ properties: [String: PropertyList]
  ) {
    var owned: [(name: String, value: PropertyList)] = []
    for property in entity.properties {
      guard let reference = properties["\(entity.name).\(property.name)"] else { continue }
      owned.append((property.name, reference))
      var values: [String: PropertyList] = ["XD_PPSK_isOptional": .boolean(true)]
      if let identifier = property.renamingIdentifier {
        values["XD_PPSK_elementID"] = text(identifier)
      }
      switch property {
      case .attribute(let attribute):
        values["XD_PAttK_attributeType"] = .integer(Int64(attribute.type.rawValue))
        // Xcode's key for this is not known: any description marks something doubtful.
        if attribute.isDerived { values["XD_PAttK_unheardOf"] = .boolean(true) }
        fill(reference, "XDPMAttribute", property.name, values)
      case .relationship(let relationship):
        values["XD_PRK_isToMany"] = .boolean(relationship.isToMany)
        values["XD_PRK_destination"] = entities[relationship.destinationEntityName]
        if let inverse = relationship.inverseName {
          values["XD_PRK_inverseRelationship"] =
            properties["\(relationship.destinationEntityName).\(inverse)"]
        }
        fill(reference, "XDPMRelationship", property.name, values)
      case .fetchedProperty: continue
      }
    }
    guard let reference = entities[entity.name] else { return }
    var entries: [String: PropertyList] = [
      "_name": text(entity.name), "XDBucketForOwnedAttributesstorage": objects.add(owned),
      "XDBucketForStereotypesstorage": stereotypes([:]),
    ]
    if let parent = entity.superentityName.flatMap({ entities[$0] }) {
      let general = objects.add(["_general": parent], class: "XDUMLGeneralizationImp")
      entries["XDBucketForGeneralizationsstorage"] = objects.add([general])
    }
    objects.fill(reference, entries, class: "XDPMEntity")
  }

  private mutating func fill(
    _ reference: PropertyList, _ name: String, _ property: String, _ values: [String: PropertyList]
  ) {
    objects.fill(
      reference,
      ["_name": text(property), "XDBucketForStereotypesstorage": stereotypes(values)], class: name)
  }

  private mutating func stereotypes(_ values: [String: PropertyList]) -> PropertyList {
    let entries = values.map { key, value in
      (name: key, value: objects.add(["_default": value], class: "XDUMLPropertyImp"))
    }
    let stereotype = objects.add(
      ["XDBucketForOwnedAttributesstorage": objects.add(entries)], class: "XDUMLStereotypeImp")
    return objects.add([(name: "XD_PStereotype", value: stereotype)])
  }
}

/// Xcode's source of a mapping model, built for tests.
struct XcodeMappingText {
  private var objects = ""
  private var ids: [String] = []
  private var lastID = 101
  private let models: String

  init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    models = [("sourcemodeldata", old), ("destinationmodeldata", new)]
      .map { Self.attribute($0.0, binary: MappingArchive.xcodeModel($0.1)) }.joined()
  }

  static func attribute(_ name: String, _ text: String) -> String {
    "<attribute name=\"\(name)\" type=\"string\">\(text)</attribute>\n"
  }

  static func attribute(_ name: String, binary bytes: [UInt8]) -> String {
    "<attribute name=\"\(name)\" type=\"binary\">\(Data(bytes).base64EncodedString())\n</attribute>\n"
  }

  /// Adds an entity mapping; each property is its name and its other attributes.
  mutating func add(
    _ number: Int, from source: String?, to destination: String?, _ more: String = "",
    attributes: [(String, String)] = [], relationships: [(String, String)] = []
  ) {
    let owned = [
      ("attributemappings", "XDDEVATTRIBUTEMAPPING", attributes),
      ("relationshipmappings", "XDDEVRELATIONSHIPMAPPING", relationships),
    ].map { name, type, properties in
      let ids = properties.map { property, more in
        add(type, Self.attribute("name", property) + more)
      }
      return "<relationship name=\"\(name)\" type=\"0/0\" destination=\"\(type)\" "
        + "idrefs=\"\(ids.joined(separator: " "))\"></relationship>\n"
    }
    let text =
      (source.map { Self.attribute("sourcename", $0) } ?? "")
      + (destination.map { Self.attribute("destinationname", $0) } ?? "")
      + Self.attribute("mappingnumber", "\(number)") + more
    ids.append(add("XDDEVENTITYMAPPING", text + owned.joined()))
  }

  @discardableResult
  mutating func add(_ type: String, _ text: String) -> String {
    lastID += 1
    objects += "<object type=\"\(type)\" id=\"z\(lastID)\">\n\(text)</object>\n"
    return "z\(lastID)"
  }

  /// The whole document.
  var text: String {
    var document = self
    document.add(
      "XDDEVMAPPINGMODEL",
      models + "<relationship name=\"entitymappings\" type=\"0/0\" "
        + "destination=\"XDDEVENTITYMAPPING\" idrefs=\"\(ids.joined(separator: " "))\"/>\n")
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
      <databaseInfo><version>134481920</version><UUID>498313E6</UUID></databaseInfo>
      \(document.objects)</database>
      """
  }
}

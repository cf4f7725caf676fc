import DataFormats
import DataModel

/// Reading the `elements` file of models from before Xcode 4, a keyed archive.
///
///     let model = try SourceElement(elements: bytes, path: "Kennel.xcdatamodel/elements")
///
/// It is converted to the equivalent elements and attributes of Xcode's XML, so that all later
/// stages are the same. There are no line numbers.
extension SourceElement {
  /// Reads an archive.
  ///
  /// - Throws: a diagnostic if it is not an archived model.
  init(elements bytes: [UInt8], path: String) throws(Diagnostic) {
    guard let list = try? PropertyList(binary: bytes), let archive = KeyedArchive(list),
      let root = archive.root, root.className == "XDPMModel",
      let package = root.object("_xd_rootPackage")
    else {
      throw Diagnostic(
        .error, "this file is not an archived data model", at: SourceLocation(path: path))
    }
    let location = SourceLocation(path: path)
    self.init(name: "model", attributes: [:], location: location)
    attributes["userDefinedModelVersionIdentifier"] = root.text("_modelVersionIdentifier")
    for (name, value) in package.dictionary("XDBucketForClassesstorage").sorted(by: {
      $0.name < $1.name
    }) {
      guard let entity = root.object(of: value), entity.className == "XDPMEntity" else { continue }
      children.append(SourceElement(archivedEntity: entity, named: name, at: location))
    }
  }

  private init(
    archivedEntity object: KeyedArchive.Object, named name: String, at location: SourceLocation
  ) {
    self.init(name: "entity", attributes: ["name": name], location: location)
    let values = object.stereotypeValues
    attributes["representedClassName"] = object.text(in: values["XD_PSK_entityClassName"])
    attributes["isAbstract"] = object.yes(values["XD_PSK_isAbstract"])
    attributes["elementID"] = object.text(in: values["XD_PSK_elementID"])
    attributes["versionHashModifier"] = object.text(in: values["XD_PSK_versionHashModifier"])
    attributes["parentEntity"] = object.members("XDBucketForGeneralizationsstorage").first
      .flatMap(object.object(of:))?.object("_general")?.text("_name")
    for (name, value) in object.dictionary("XDBucketForOwnedAttributesstorage")
      .sorted(by: { $0.name < $1.name })
    {
      guard let property = object.object(of: value) else { continue }
      switch property.className {
      case "XDPMAttribute":
        children.append(SourceElement(archivedAttribute: property, named: name, at: location))
      case "XDPMRelationship":
        children.append(SourceElement(archivedRelationship: property, named: name, at: location))
      default: continue
      }
    }
    appendLists(
      values["XDPMUniquenessConstraints"], of: object,
      as: ("uniquenessConstraints", "uniquenessConstraint", "constraint"))
    appendLists(
      values["XDPMCompoundIndexes"], of: object, as: ("compoundIndexes", "compoundIndex", "index"))
  }

  private init(
    archivedAttribute object: KeyedArchive.Object, named name: String, at location: SourceLocation
  ) {
    self.init(name: "attribute", attributes: ["name": name], location: location)
    let values = object.stereotypeValues
    takeProperty(values, of: object)
    var type: AttributeDescription.AttributeType?
    if case .integer(let number)? = values["XD_PAttK_attributeType"] {
      type = Int32(exactly: number).flatMap { .init(rawValue: $0) }
    }
    if let type, type != .undefined { attributes["attributeType"] = type.name }
    let isDate = type == .date
    attributes[isDate ? "defaultDateTimeInterval" : "defaultValueString"] =
      object.text(in: values["XD_PAttK_defaultValueAsString"])
    attributes[isDate ? "minDateTimeInterval" : "minValueString"] =
      object.text(in: values["XD_PAttK_minValueString"])
    attributes[isDate ? "maxDateTimeInterval" : "maxValueString"] =
      object.text(in: values["XD_PAttK_maxValueString"])
    attributes["regularExpressionString"] =
      object.text(in: values["XD_PAttK_regularExpressionString"])
    attributes["valueTransformerName"] = object.text(in: values["XD_PAttK_valueTransformerName"])
    attributes["allowsExternalBinaryDataStorage"] =
      object.yes(values["XD_PAttK_allowsExternalBinaryDataStorage"])
  }

  private init(
    archivedRelationship object: KeyedArchive.Object, named name: String,
    at location: SourceLocation
  ) {
    self.init(name: "relationship", attributes: ["name": name], location: location)
    let values = object.stereotypeValues
    takeProperty(values, of: object)
    let destination = values["XD_PRK_destination"].flatMap(object.object(of:))
    let inverse = values["XD_PRK_inverseRelationship"].flatMap(object.object(of:))
    attributes["destinationEntity"] = destination?.text("_name")
    attributes["inverseName"] = inverse?.text("_name")
    attributes["inverseEntity"] = inverse?.object("_owner")?.text("_name")
    attributes["toMany"] = object.yes(values["XD_PRK_isToMany"])
    attributes["ordered"] = object.yes(values["XD_PRK_ordered"])
    for (key, name) in [("XD_PRK_minCount", "minCount"), ("XD_PRK_maxCount", "maxCount")] {
      if case .integer(let count)? = values[key], count != 0 { attributes[name] = String(count) }
    }
    let rules = ["No Action", "Nullify", "Cascade", "Deny"]
    if case .integer(let rule)? = values["XD_PRK_deleteRule"], let index = Int(exactly: rule),
      rules.indices.contains(index)
    {
      attributes["deletionRule"] = rules[index]
    }
  }

  /// Sets the XML attributes common to all properties.
  private mutating func takeProperty(
    _ values: [String: PropertyList], of object: KeyedArchive.Object
  ) {
    attributes["optional"] = object.yes(values["XD_PPSK_isOptional"])
    attributes["transient"] = object.yes(values["XD_PPSK_isTransient"])
    attributes["indexed"] = object.yes(values["XD_PPSK_isIndexed"])
    attributes["elementID"] = object.text(in: values["XD_PPSK_elementID"])
    attributes["versionHashModifier"] = object.text(in: values["XD_PPSK_versionHashModifier"])
  }

  /// Appends lists of names as elements of three levels.
  private mutating func appendLists(
    _ value: PropertyList?, of object: KeyedArchive.Object,
    as names: (all: String, list: String, member: String)
  ) {
    let lists = object.lists(in: value)
    guard !lists.isEmpty else { return }
    var all = SourceElement(name: names.all, attributes: [:], location: location)
    for list in lists {
      var element = SourceElement(name: names.list, attributes: [:], location: location)
      for member in list {
        element.children.append(
          SourceElement(name: names.member, attributes: ["value": member], location: location))
      }
      all.children.append(element)
    }
    children.append(all)
  }
}

extension KeyedArchive.Object {
  /// Returns YES for a true value, as in Xcode's XML.
  fileprivate func yes(_ value: PropertyList?) -> String? { flag(in: value) ? "YES" : nil }
}

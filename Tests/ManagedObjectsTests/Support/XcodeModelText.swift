import DataModel
import Foundation

extension ManagedObjectModel {
  /// The model as Xcode would write it, for independent readers.
  var xcodeText: String {
    let lines = entities.map { entity in
      let parent = entity.superentityName.map { " parentEntity=\"\($0.escaped)\"" } ?? ""
      return
        "<entity name=\"\(entity.name.escaped)\"\(parent) isAbstract=\"\(yes(entity.isAbstract))\">"
        + entity.properties.map(Self.text).joined() + constraints(entity) + "</entity>"
    }
    return
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\(lines.joined(separator: "\n"))</model>"
  }

  /// Writes the text into a folder, as the file `contents`.
  func writeXcodeText(into folder: URL) throws -> URL {
    let url = folder.appending(path: "contents")
    try xcodeText.write(to: url, atomically: true, encoding: .utf8)
    return url
  }

  private static func text(_ property: PropertyDescription) -> String {
    switch property {
    case .attribute(let attribute):
      """
      <attribute name="\(attribute.name.escaped)" attributeType="\(attribute.type.name)" \
      optional="\(yes(attribute.isOptional))" transient="\(yes(attribute.isTransient))"/>
      """
    case .relationship(let relationship):
      """
      <relationship name="\(relationship.name.escaped)" optional="\(yes(relationship.isOptional))" \
      \(relationship.isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") \
      ordered="\(yes(relationship.isOrdered))" \
      destinationEntity="\(relationship.destinationEntityName.escaped)"\
      \(relationship.inverseName.map { " inverseName=\"\($0.escaped)\"" } ?? "")/>
      """
    case .fetchedProperty(let property):
      "<fetchedProperty name=\"\(property.name.escaped)\"/>"
    }
  }

  private func constraints(_ entity: EntityDescription) -> String {
    guard !entity.uniquenessConstraints.isEmpty else { return "" }
    let lines = entity.uniquenessConstraints.map { names in
      "<uniquenessConstraint>"
        + names.map { "<constraint value=\"\($0.escaped)\"/>" }.joined() + "</uniquenessConstraint>"
    }
    return "<uniquenessConstraints>\(lines.joined())</uniquenessConstraints>"
  }
}

private func yes(_ flag: Bool) -> String { flag ? "YES" : "NO" }

extension String {
  /// The text inside an XML attribute.
  fileprivate var escaped: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}

import Foundation
import ManagedObjects

/// A model made by hand whose one entity has an attribute of every type, and a to-one to itself.
enum Samples {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Sample",
        properties: [
          attribute("short", .integer16), attribute("middle", .integer32),
          attribute("long", .integer64), attribute("flag", .boolean),
          attribute("real", .double), attribute("single", .float), attribute("date", .date),
          attribute("price", .decimal), attribute("text", .string), attribute("link", .uri),
          attribute("uuid", .uuid), attribute("bytes", .binaryData),
          .relationship(.init(name: "next", destinationEntityName: "Sample", isOptional: true)),
        ])
    ], classes: ["Sample": Sample.self])

  private static func attribute(
    _ name: String, _ type: AttributeDescription.AttributeType
  ) -> PropertyDescription {
    .attribute(.init(name: name, type: type, isOptional: true))
  }
}

final class Sample: ManagedObject {
  var short: Int16? {
    get { optionalValue(at: PropertySlot(-1, "short")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "short")) }
  }
  var middle: Int32? {
    get { optionalValue(at: PropertySlot(-1, "middle")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "middle")) }
  }
  var long: Int64? {
    get { optionalValue(at: PropertySlot(-1, "long")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "long")) }
  }
  var flag: Bool? {
    get { optionalValue(at: PropertySlot(-1, "flag")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "flag")) }
  }
  var real: Double? {
    get { optionalValue(at: PropertySlot(-1, "real")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "real")) }
  }
  var single: Float? {
    get { optionalValue(at: PropertySlot(-1, "single")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "single")) }
  }
  var date: Date? {
    get { optionalValue(at: PropertySlot(-1, "date")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "date")) }
  }
  var price: Decimal? {
    get { optionalValue(at: PropertySlot(-1, "price")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "price")) }
  }
  var text: String? {
    get { optionalValue(at: PropertySlot(-1, "text")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "text")) }
  }
  var link: URL? {
    get { optionalValue(at: PropertySlot(-1, "link")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "link")) }
  }
  var uuid: UUID? {
    get { optionalValue(at: PropertySlot(-1, "uuid")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "uuid")) }
  }
  var bytes: Data? {
    get { optionalValue(at: PropertySlot(-1, "bytes")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "bytes")) }
  }
  var next: Sample? {
    get { toOne(at: PropertySlot(-1, "next")) }
    set { setToOne(newValue, at: PropertySlot(-1, "next")) }
  }
}

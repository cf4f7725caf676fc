import DataModel
import Foundation
import ManagedObjects

/// The model that Core Data's behaviour was looked at with: employees in departments.
enum Staff {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Employee",
        properties: [
          .value("name", .string), .value("salary", .integer32), .value("hireDate", .date),
          .toOne("department", "Department", back: "employees"),
        ]),
      EntityDescription(
        name: "Manager", superentityName: "Employee",
        properties: [
          .value("level", .integer16)
        ]),
      EntityDescription(
        name: "Department",
        properties: [.value("name", .string), .toMany("employees", "Employee", back: "department")]),
    ])

  /// A document as Core Data writes it, with some objects.
  static func document(_ objects: String, metadata: String = "", nextObjectID: Int = 105) -> Data {
    Data(
      """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>6AF1F9F4-4D16-4C6E-8A95-AE49D8E0C3B5</UUID>
              <nextObjectID>\(nextObjectID)</nextObjectID>
              <metadata>\(metadata)</metadata>
          </databaseInfo>
      \(objects)
      </database>
      """.utf8)
  }
}

/// A folder with an XML store, which is opened anew each time.
struct XMLFolder {
  let folder: StoreFolder
  let model: ManagedObjectModel

  var url: URL { folder.store }

  init(_ model: ManagedObjectModel = Staff.model, document: Data? = nil) throws {
    folder = try StoreFolder(named: "Staff.xml")
    self.model = model
    try document?.write(to: url)
  }

  func open(
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    var options = PersistentStoreOptions()
    change(&options)
    return try PersistentContainer(
      name: "Staff", model: model, storeURL: url, type: .xml, options: options)
  }

  /// Opens a document whose metadata are empty.
  func openIgnoringVersions() throws -> PersistentContainer {
    try open { $0.ignoresModelVersioning = true }
  }

  func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

  /// What is said of the document: the line, and why.
  func complaint() throws -> String {
    let before = try? Data(contentsOf: url)
    do {
      _ = try openIgnoringVersions()
      return "none"
    } catch PersistentStoreError.malformedDocument(_, let line, let reason) {
      guard try Data(contentsOf: url) == before, try folder.names().count == 1 else {
        return "the file was changed"
      }
      return "\(line): \(reason)"
    }
  }
}

extension ManagedObjectContext {
  /// All objects of an entity, by their keys.
  func all(_ entity: String) throws -> [ManagedObject] {
    try fetch(FetchRequest<ManagedObject>(entityName: entity))
  }
}

extension ManagedObject {
  func text(_ key: String) -> String? { value(forKey: key) as? String }
}

import DataModel
import Foundation
import ManagedObjects

/// The model that Core Data's behaviour was observed with: employees in departments.
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

  /// Opens a store of this model with a newer one, migrating it.
  static func open(
    _ url: URL, _ type: PersistentStore.StoreType, migratingTo newer: ManagedObjectModel,
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    var options = PersistentStoreOptions.migrating
    options.sourceModels = [model]
    change(&options)
    return try PersistentContainer(
      name: "Staff", model: newer, storeURL: url, type: type, options: options)
  }

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

extension ManagedObjectContext {
  /// All objects of an entity, by their keys.
  func all(_ entity: String) throws -> [ManagedObject] {
    try fetch(FetchRequest<ManagedObject>(entityName: entity))
  }
}

extension ManagedObject {
  func text(_ key: String) -> String? { value(forKey: key) as? String }
}

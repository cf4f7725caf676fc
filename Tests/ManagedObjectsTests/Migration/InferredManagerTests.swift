import DataModel
import Foundation
import ManagedObjects
import Synchronization
import Testing

/// A migration manager with an inferred mapping, which makes a new store of any type.
struct InferredManagerTests {
  /// Employees who were hired once, and have a title in the next version.
  private static let old = model([.value("hireDate", .date)])
  private static let new = model([.value("title", .string)])

  private static func model(_ own: [PropertyDescription]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Employee",
          properties: [
            .value("name", .string), .value("salary", .integer32),
            .toOne("department", "Department", back: "employees"),
          ] + own),
        EntityDescription(
          name: "Department",
          properties: [
            .value("name", .string), .toMany("employees", "Employee", back: "department"),
          ]),
      ])
  }

  @Test func `has a mapping for each property of the new version, and for no other`() throws {
    let mapping = try MappingModel.inferred(from: Self.old, to: Self.new)
    #expect(
      Set(mapping.entityMappings.map(\.name))
        == ["IEM_Transform_Employee", "IEM_Copy_Department"])
    let employee = try #require(mapping.entityMappingsByName["IEM_Transform_Employee"])
    #expect(employee.mappingType == .transform)
    #expect(Set(employee.attributeMappings.map(\.name)) == ["name", "salary", "title"])
    #expect(employee.relationshipMappings.map(\.name) == ["department"])
    #expect(mapping.entityMappingsByName["IEM_Copy_Department"]?.mappingType == .copy)
  }

  @Test(arguments: Stack.wholeTypes + [.sqlite])
  func `makes a new store of the same type`(_ type: PersistentStore.StoreType) throws {
    try check(from: type, to: type)
  }

  @Test func `makes a store of another type`() throws {
    try check(from: .xml, to: .sqlite)
    try check(from: .sqlite, to: .json)
    if Stack.server != nil { try check(from: .json, to: .postgreSQL) }
  }

  private func check(
    from type: PersistentStore.StoreType, to newType: PersistentStore.StoreType
  ) throws {
    let folder = try StoreFolder(named: "Old.store")
    let made = try #require(newType.place(folder.url.appending(path: "New.store")))
    let count = 700
    do {
      let context = try PersistentContainer(
        name: "Test", model: Self.old, storeURL: folder.store, type: type
      ).newBackgroundContext()
      let department = ManagedObject("Department", in: context)
      department.setValue("Office", forKey: "name")
      for number in 1...count {
        let employee = ManagedObject("Employee", in: context)
        employee.setValue("Anna \(number)", forKey: "name")
        employee.setValue(Int32(number), forKey: "salary")
        employee.setValue(department, forKey: "department")
      }
      try context.save()
    }
    let names = try folder.names()
    let manager = MigrationManager(sourceModel: Self.old, destinationModel: Self.new)
    let parts = Mutex<[Double]>([])
    manager.progressHandler = { part in parts.withLock { $0.append(part) } }
    let mapping = try MappingModel.inferred(from: Self.old, to: Self.new)
    try manager.migrateStore(
      from: folder.store, type: type, mapping: mapping, to: made, type: newType)
    #expect(parts.withLock { $0.contains { $0 > 0.5 } })
    #expect(manager.migrationProgress == 0)
    let context = try PersistentContainer(
      name: "Test", model: Self.new, storeURL: made, type: newType
    ).newBackgroundContext()
    let employees = try context.all("Employee")
    #expect(employees.count == count)
    for employee in employees {
      #expect(
        employee.text("name") == (employee.value(forKey: "salary") as? Int32).map { "Anna \($0)" })
      #expect((employee.value(forKey: "department") as? ManagedObject)?.text("name") == "Office")
      #expect(employee.text("title") == nil)
    }
    #expect(Set(try folder.names()).isSuperset(of: names + (made.isFileURL ? ["New.store"] : [])))
    // The name is taken now.
    #expect(throws: PersistentStoreError.self) {
      try manager.migrateStore(
        from: folder.store, type: type, mapping: mapping, to: made, type: newType)
    }
  }
}

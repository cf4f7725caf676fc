import DataModel
import Foundation
import ManagedObjects
import Testing

/// Atomic stores that load and save tables, built on the public interface.
@Suite struct AtomicStoreTableTests {
  /// A store whose objects a test provides, and whose saves it examines.
  final class TableStore: AtomicStore, @unchecked Sendable {
    static let table = PersistentStore.StoreType("Table")
    @TaskLocal static var filling: @Sendable (TableStore) throws -> Void = { _ in }
    /// What the last save was to write: departments by their names, and employees with their
    /// departments.
    private(set) var saved: [String] = []

    override func loadMetadata() throws { metadata = ["NSStoreUUID": .string("F1D0")] }
    override func load() throws { try Self.filling(self) }

    override func save() throws {
      saved = []
      for entity in ["Department", "Employee"] {
        let isEmployee = entity == "Employee"
        let rows = try table(
          entity, isEmployee ? ["name", "salary", "department"] : ["name", "employees"]
        ).rows
        for row in rows {
          var text = "\(referenceObject(for: row.objectID)):"
          row.withUTF8(at: 0) { name in
            text += name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
          }
          let value = row.value(at: 1)
          text += " \(value?.attributeValue.map { "\($0)" } ?? "\(value?.objectIDs?.count ?? 0)")"
          if isEmployee, let id = row.value(at: 2)?.objectID {
            text += " in \(referenceObject(for: id)), \(row.position(at: 2) ?? 0)"
          }
          saved.append(text)
        }
      }
    }

    func table(_ entity: String, _ columns: [String]) throws -> AtomicStoreTable {
      try AtomicStoreTable(
        of: managedObjectModel.entitiesByName[entity]!, columns: columns, in: self)
    }
  }

  /// Departments with ordered lists of employees, of whom managers are some.
  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Department",
        properties: [
          .value("name", .string),
          .toMany("employees", "Employee", back: "department", isOrdered: true),
        ]),
      EntityDescription(
        name: "Employee",
        properties: [
          .value("name", .string), .value("salary", .integer32), .value("homepage", .uri),
          .toOne("department", "Department", back: "employees"),
        ]),
      EntityDescription(name: "Manager", superentityName: "Employee", properties: []),
    ])

  private func open(
    _ filling: @escaping @Sendable (TableStore) throws -> Void
  ) throws -> (store: TableStore, context: ManagedObjectContext) {
    PersistentStoreCoordinator.registerStoreClass(TableStore.self, forStoreType: TableStore.table)
    return try TableStore.$filling.withValue(filling) {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: Self.model)
      let store = try coordinator.addPersistentStore(type: TableStore.table, at: nil)
      return (
        try #require(store as? TableStore),
        ManagedObjectContext(persistentStoreCoordinator: coordinator)
      )
    }
  }

  /// Two departments, and employees with given positions.
  private func openStaff() throws -> (store: TableStore, context: ManagedObjectContext) {
    try open { store in
      var departments = try store.table("Department", ["name"])
      for name in ["Dogs", "Cats"] {
        try departments.set(.string(name), at: 0)
        try departments.addRow(departments.objectID(for: ReferenceObject(name)))
      }
      var employees = try store.table("Employee", ["department", "name"])
      for (number, place) in [(1, 3), (2, 1), (3, nil), (4, 1)] as [(Int, Int64?)] {
        try employees.set(
          departments.objectID(for: number < 4 ? "Dogs" : "Cats"), position: place, at: 0)
        try employees.set(utf8: Array("é\(number)".utf8).span, at: 1)
        try employees.addRow(employees.objectID(for: ReferenceObject(number)))
      }
      var managers = try store.table("Manager", ["department"])
      try managers.set(departments.objectID(for: "Dogs"), position: 2, at: 0)
      try managers.addRow(managers.objectID(for: 1))
    }
  }

  @Test func `rows become objects, in lists by their positions`() throws {
    let (store, context) = try openStaff()
    let departments = try context.all("Department")
    #expect(departments.map { $0.text("name") } == ["Dogs", "Cats"])
    let dogs = try #require(departments[0].value(forKey: "employees") as? OrderedSet<ManagedObject>)
    #expect(dogs.map { $0.text("name") } == ["é2", nil, "é1", "é3"])
    // A node exists for whoever asks for it.
    let node = try #require(store.cacheNode(for: dogs[0].objectID))
    #expect(node.value(forKey: "name") == .string("é2"))
    #expect(store.cacheNode(for: dogs[0].objectID) === node)
    #expect(store.cacheNodes.count == 7 && store.cacheNodes.contains { $0 === node })
  }

  @Test func `a save has a row for each object`() throws {
    let (store, context) = try openStaff()
    let cats = try #require(try context.all("Department").last)
    for employee in try context.all("Employee") where employee.text("name") == "é2" {
      employee.setValue(cats, forKey: "department")
      employee.setValue(Int32(7), forKey: "salary")
    }
    let new = ManagedObject("Employee", in: context)
    new.setValue("é5", forKey: "name")
    try context.save()
    #expect(
      store.saved == [
        "Dogs:Dogs 3", "Cats:Cats 2", "1:é1 0 in Dogs, 2", "2:é2 integer(7) in Cats, 2",
        "3:é3 0 in Dogs, 3", "4:é4 0 in Cats, 1", "5:é5 0",
      ])
    for employee in try context.all("Employee") where employee.text("name") == "é1" {
      context.delete(employee)
    }
    try context.save()
    #expect(store.saved.count == 6 && store.saved.contains("3:é3 0 in Dogs, 2"))
  }

  @Test func `nodes and tables can be mixed`() throws {
    let (_, context) = try open { store in
      let department = store.managedObjectModel.entitiesByName["Department"]!
      var employees = try store.table("Employee", ["department"])
      try employees.set(.toOne(store.objectID(for: department, referenceObject: 1)), at: 0)
      try employees.addRow(employees.objectID(for: 1))
      store.addCacheNodes([
        AtomicStoreCacheNode(
          objectID: store.objectID(for: department, referenceObject: 1),
          propertyCache: ["name": .string("Dogs")])
      ])
    }
    let employee = try context.all("Employee")[0]
    #expect((employee.value(forKey: "department") as? ManagedObject)?.text("name") == "Dogs")
  }

  @Test func `what does not fit the model is refused with a message`() {
    func message(_ filling: @escaping @Sendable (inout AtomicStoreTable) throws -> Void) -> String {
      do {
        _ = try open { store in
          var table = try store.table("Employee", ["name", "salary", "department", "homepage"])
          try filling(&table)
          try table.addRow(table.objectID(for: 1))
        }
        return "none"
      } catch {
        return "\(error)".replacing("Invalid Table store: ", with: "")
      }
    }
    #expect(message { _ in } == "none")
    #expect(message { try $0.set(.null, at: 2) } == "none")
    #expect(message { try $0.set(utf8: Array("http://a.b".utf8).span, at: 0) } == "none")
    #expect(
      message { try $0.set(.integer(3), at: 0) }
        == "it returned the number 3 for Employee.name, which is String.")
    #expect(
      message { try $0.set(.integer(1 << 40), at: 1) }
        == "it returned the number 1099511627776 for Employee.salary, which is Integer 32.")
    #expect(
      message { try $0.set(utf8: Array("7".utf8).span, at: 1) }
        == "it returned a string for Employee.salary, which is Integer 32.")
    #expect(
      message { try $0.set(utf8: ([0xE9] as [UInt8]).span, at: 0) }
        == "it returned bytes for Employee.name that are not UTF-8.")
    #expect(
      message { try $0.set(.string("Dogs"), at: 2) }
        == "it returned a string for Employee.department, which is a to-one.")
    #expect(
      message { try $0.set(.toMany([]), at: 0) }
        == "it returned a collection of objects for Employee.name, which is an attribute.")
    #expect(
      message { try $0.set($0.objectID(for: 2), position: 1, at: 2) }
        == """
        it returned x-coredata://F1D0/Employee/p2 for Employee.department, which is not of the entity Department.
        """)
    #expect(
      message { try $0.addRow($0.objectID(for: 1)) }
        == "another object has the id x-coredata://F1D0/Employee/p1.")
    let unknown = #expect(throws: PersistentStoreError.self) {
      try open { store in _ = try store.table("Employee", ["shoes"]) }
    }
    #expect(
      unknown?.description
        == "Invalid Table store: it returned Employee.shoes, which the model does not have.")
  }
}

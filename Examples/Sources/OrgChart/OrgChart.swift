import Foundation
import ManagedObjects
import ModelCompiler

/// A program without classes, which reads its model at run time and uses names for everything.
@main
struct OrgChart {
  let context: ManagedObjectContext

  static func main() throws {
    let folder = URL.temporaryDirectory.appending(path: "OrgChart-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let chart = try OrgChart(storesIn: folder)
    try chart.fill()
    try chart.showByKeyPath()
    try chart.deleteByTheRules()
    try chart.callTheContext()
  }

  /// Creates a coordinator with two stores: people in one file, minutes of meetings in another.
  init(storesIn folder: URL) throws {
    guard let url = Bundle.module.url(forResource: "OrgChart", withExtension: "xcdatamodeld")
    else { throw CocoaError(.fileNoSuchFile) }
    let model = try CompiledModel(contentsOf: url).currentVersion.model
    print("Entities: " + model.entities.map(\.name).joined(separator: ", "))

    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    for configuration in ["People", "Minutes"] {
      let store = try coordinator.addPersistentStore(
        type: .sqlite, configurationName: configuration,
        at: folder.appending(path: "\(configuration).sqlite"))
      print("  \(configuration) in \(store.url?.lastPathComponent ?? "memory")")
    }
    context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
  }

  // MARK: Objects and values by name

  /// Creates a company with two departments, a boss and two reports.
  func fill() throws {
    let acme = insert("Company", ["name": "Acme"])
    let sales = insert("Department", ["name": "Sales"])
    let attic = insert("Department", ["name": "Attic"])
    acme.mutableOrderedSetValue(forKey: "departments").addObjects(from: [sales, attic])

    let boss = insert("Employee", ["name": "Boss", "salary": Decimal(9_000)])
    for (name, salary) in [("Ann", 5_000), ("Ben", 4_000)] {
      let employee = insert("Employee", ["name": name, "salary": Decimal(salary)])
      employee.setValue(boss, forKey: "manager")
    }
    boss.setValue(insert("Badge", ["number": Int32(1)]), forKey: "badge")
    sales.mutableSetValue(forKey: "staff").union(try employees())
    _ = insert("Minute", ["text": "The company was founded."])
    try context.save()
  }

  @discardableResult
  func insert(_ entity: String, _ values: [String: Any?]) -> ManagedObject {
    let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValuesForKeys(values)
    return object
  }

  func employees() throws -> [ManagedObject] {
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.sortDescriptors = [.init(key: "name")]
    return try context.fetch(request)
  }

  func object(_ entity: String, named name: String) throws -> ManagedObject {
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = try .init(format: "name == %@", name)
    guard let object = try context.fetch(request).first else { throw CocoaError(.fileNoSuchFile) }
    return object
  }

  func count(_ entity: String) throws -> Int {
    try context.count(for: FetchRequest<ManagedObject>(entityName: entity))
  }

  func showByKeyPath() throws {
    print("Key paths")
    let (acme, boss) = (
      try object("Company", named: "Acme"), try object("Employee", named: "Boss")
    )
    show(boss, "badge.number")
    show(boss, "reports.@count")
    show(boss, "department.company.name")
    show(try object("Department", named: "Sales"), "staff.@sum.salary")
    print("  departments: \(acme.mutableOrderedSetValue(forKey: "departments").map(name))")
  }

  private func show(_ object: ManagedObject, _ keyPath: String) {
    print("  \(keyPath) is \(object.value(forKeyPath: keyPath).map { "\($0)" } ?? "missing")")
  }

  private func name(_ object: ManagedObject) -> String {
    object.value(forKey: "name") as? String ?? "?"
  }

  // MARK: Delete rules

  func deleteByTheRules() throws {
    print("Delete rules")
    // Deny: a department with staff is kept, and therefore the company that would delete it.
    context.delete(try object("Company", named: "Acme"))
    do {
      try context.save()
    } catch let error as ValidationError {
      print("  denied: \(error.failures.count) reason")
    }
    context.rollback()

    // Cascade: the badge is deleted with its holder. Nullify: the reports no longer have a manager.
    context.delete(try object("Employee", named: "Boss"))
    try context.save()
    let left = try employees()
    print("  badges: \(try count("Badge")), employees: \(left.map(name))")
    print("  with a manager: \(left.filter { $0.value(forKey: "manager") != nil }.count)")
  }

  // MARK: The context

  func callTheContext() throws {
    print("The context")
    let ann = try object("Employee", named: "Ann")
    let minute = insert("Minute", ["text": "Ann is the boss now."])
    ann.setValue(Decimal(9_000), forKey: "salary")
    print("  inserted \(context.insertedObjects.count), updated \(context.updatedObjects.count)")
    print("  Ann's changes: \(ann.changedValues().keys.sorted())")
    print("  temporary ID: \(minute.objectID.isTemporaryID)")
    try context.obtainPermanentIDs(for: [minute])
    print("  temporary ID: \(minute.objectID.isTemporaryID)")
    try context.save()

    context.reset()
    let again = context.object(with: ann.objectID)
    print("  a fault: \(again.isFault)")
    print("  salary: \(again.value(forKey: "salary").map { "\($0)" } ?? "missing")")
    try context.refresh(again, mergeChanges: false)
    print("  a fault: \(again.isFault), registered: \(context.registeredObjects.count)")
    context.delete(again)
    print("  deleted: \(context.deletedObjects.count), changes: \(context.hasChanges)")
    context.rollback()
    print("  deleted: \(context.deletedObjects.count), changes: \(context.hasChanges)")
  }
}

import Foundation
import ManagedObjects
import Testing

/// A textbook's organisation chart, which uses every delete rule.
@Suite struct OrganisationTests {
  /// A company deletes its departments (cascade); a department with staff stays (deny); staff whose
  /// manager is deleted have none (nullify); a badge is left dangling (no action).
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Company",
      properties: [.value("name", .string), rule("departments", "Department", "company", .cascade)]),
    EntityDescription(
      name: "Department",
      properties: [
        .value("name", .string), .toOne("company", "Company", back: "departments"),
        rule("staff", "Employee", "department", .deny),
      ]),
    EntityDescription(
      name: "Employee",
      properties: [
        .value("name", .string), .toOne("department", "Department", back: "staff"),
        .toOne("manager", "Employee", back: "reports"),
        .toMany("reports", "Employee", back: "manager", isOrdered: true),
        .relationship(
          .init(
            name: "badge", destinationEntityName: "Badge", inverseName: "holder", isOptional: true,
            deleteRule: .noAction)),
      ]),
    EntityDescription(name: "Badge", properties: [.toOne("holder", "Employee", back: "badge")]),
  ])

  private static func rule(
    _ name: String, _ entity: String, _ inverse: String,
    _ rule: RelationshipDescription.DeleteRule
  ) -> PropertyDescription {
    .relationship(
      .init(
        name: name, destinationEntityName: entity, inverseName: inverse, isOptional: true,
        maxCount: 0, deleteRule: rule))
  }

  /// A company with two departments, and a boss in the first with two reports.
  private final class Chart {
    let stack: Stack
    private(set) var named: [String: ManagedObject] = [:]

    init(_ type: PersistentStore.StoreType) throws {
      stack = try Stack(type, model: OrganisationTests.model)
      for (entity, names) in [
        "Company": ["Acme"], "Department": ["Sales", "Attic"], "Employee": ["Boss", "Ann", "Ben"],
      ] {
        for name in names {
          let object = ManagedObject(entity, in: stack.context)
          object.setValue(name, forKey: "name")
          named[name] = object
        }
      }
      self["Acme"].setValue([self["Sales"], self["Attic"]], forKey: "departments")
      self["Sales"].setValue([self["Boss"], self["Ann"], self["Ben"]], forKey: "staff")
      self["Boss"].setValue([self["Ben"], self["Ann"]], forKey: "reports")
      self["Boss"].setValue(ManagedObject("Badge", in: stack.context), forKey: "badge")
      try stack.context.save()
    }

    subscript(name: String) -> ManagedObject { named[name]! }

    /// How many objects of an entity are stored.
    func count(_ entity: String) throws -> Int {
      try stack.anotherContext().count(for: FetchRequest<ManagedObject>(entityName: entity))
    }
  }

  @Test(arguments: Stack.allTypes)
  func `cascade meets deny, and nothing is deleted`(type: PersistentStore.StoreType) throws {
    let chart = try Chart(type)
    chart.stack.context.delete(chart["Acme"])
    #expect(chart["Sales"].isDeleted && chart["Attic"].isDeleted && !chart["Ann"].isDeleted)
    let error = #expect(throws: ValidationError.self) { try chart.stack.context.save() }
    let sales = try #require(chart["Sales"].objectID.primaryKey)
    #expect(
      error?.description
        == "Department \(sales): staff still has members, so the Department cannot be deleted.")
    #expect(try chart.count("Department") == 2 && chart.count("Company") == 1)
    chart.stack.context.rollback()
    #expect(!chart["Acme"].isDeleted && !chart.stack.context.hasChanges)
    #expect(chart["Acme"].value(forKeyPath: "departments.@count") as? Int == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `a department can be deleted once its staff has moved`(
    type: PersistentStore.StoreType
  ) throws {
    let chart = try Chart(type)
    chart["Attic"].setValue(chart["Sales"].value(forKey: "staff"), forKey: "staff")
    chart.stack.context.delete(chart["Sales"])
    try chart.stack.context.save()
    #expect(try chart.count("Department") == 1 && chart.count("Employee") == 3)
    #expect(chart["Ann"].value(forKey: "department") as? ManagedObject === chart["Attic"])
  }

  @Test(arguments: Stack.allTypes)
  func `everything can be deleted at once`(type: PersistentStore.StoreType) throws {
    let chart = try Chart(type)
    for name in ["Acme", "Ben", "Boss", "Ann"] { chart.stack.context.delete(chart[name]) }
    try chart.stack.context.save()
    #expect(
      try ["Company", "Department", "Employee", "Badge"].map(chart.count) == [0, 0, 0, 1])
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted boss leaves reports without a manager and a badge without a holder`(
    type: PersistentStore.StoreType
  ) throws {
    let chart = try Chart(type)
    let boss = chart["Boss"].objectID
    chart.stack.context.delete(chart["Boss"])
    #expect(chart["Ann"].value(forKey: "manager") == nil)
    try chart.stack.context.save()
    let context = chart.stack.anotherContext()
    chart.stack.rereading.append(context)
    let staff = try context.fetch(FetchRequest<ManagedObject>(entityName: "Employee"))
    #expect(staff.count == 2 && staff.allSatisfy { $0.value(forKey: "manager") == nil })
    let badges = try context.fetch(FetchRequest<ManagedObject>(entityName: "Badge"))
    let holder = try #require(badges.first?.value(forKey: "holder") as? ManagedObject)
    #expect(holder.objectID == boss)
    #expect(throws: PersistentStoreError.self) { try context.existingObject(with: boss) }
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved objects in a chain of rules are deleted or kept like saved ones`(
    type: PersistentStore.StoreType
  ) throws {
    let chart = try Chart(type)
    let context = chart.stack.context
    let (branch, temp) = (
      ManagedObject("Department", in: context), ManagedObject("Employee", in: context)
    )
    branch.setValue(chart["Acme"], forKey: "company")
    temp.setValue(chart["Boss"], forKey: "manager")
    temp.setValue(branch, forKey: "department")
    for name in ["Boss", "Ann", "Ben"] { context.delete(chart[name]) }
    context.delete(chart["Acme"])
    #expect(branch.isInserted == false && temp.isInserted)
    // The new branch was never saved, so its deletion is not denied.
    try context.save()
    #expect(try ["Company", "Department", "Employee"].map(chart.count) == [0, 0, 1])
    #expect(temp.value(forKey: "manager") == nil && temp.value(forKey: "department") == nil)
    #expect(branch.managedObjectContext == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted object keeps its values, until the delete is saved and after`(
    type: PersistentStore.StoreType
  ) throws {
    let chart = try Chart(type)
    let (context, ann) = (chart.stack.context, chart["Ann"])
    context.delete(ann)
    #expect(ann.isDeleted && ann.hasChanges && ann.managedObjectContext === context)
    #expect(ann.value(forKey: "name") as? String == "Ann" && context.deletedObjects == [ann])
    try context.save()
    #expect(!ann.isDeleted && !ann.hasChanges && ann.managedObjectContext == nil)
    #expect(ann.value(forKey: "name") as? String == "Ann" && !ann.isFault)
    #expect(context.registeredObject(for: ann.objectID) == nil)
    context.delete(ann)
    #expect(!context.hasChanges)
  }
}

import Foundation
import ManagedObjects
import Testing

/// A textbook's patients and doctors: relationships with inverses, and one object for one row.
@Suite struct PatientsTests {
  final class Doctor: ManagedObject {
    var name: String {
      get { requiredValue(at: PropertySlot(-1, "name")) }
      set { setRequiredValue(newValue, at: PropertySlot(-1, "name")) }
    }
    var patients: Set<Patient> {
      get { unorderedToMany(at: PropertySlot(-1, "patients")) }
      set { setUnorderedToMany(newValue, at: PropertySlot(-1, "patients")) }
    }
    var consultations: Set<Patient> {
      get { unorderedToMany(at: PropertySlot(-1, "consultations")) }
      set { setUnorderedToMany(newValue, at: PropertySlot(-1, "consultations")) }
    }
  }

  final class Patient: ManagedObject {
    var name: String {
      get { requiredValue(at: PropertySlot(-1, "name")) }
      set { setRequiredValue(newValue, at: PropertySlot(-1, "name")) }
    }
    var primaryDoctor: Doctor? {
      get { toOne(at: PropertySlot(-1, "primaryDoctor")) }
      set { setToOne(newValue, at: PropertySlot(-1, "primaryDoctor")) }
    }
    var consulted: Set<Doctor> {
      get { unorderedToMany(at: PropertySlot(-1, "consulted")) }
      set { setUnorderedToMany(newValue, at: PropertySlot(-1, "consulted")) }
    }
  }

  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Doctor",
        properties: [
          .attribute(.init(name: "name", type: .string)),
          .toMany("patients", "Patient", back: "primaryDoctor"),
          .toMany("consultations", "Patient", back: "consulted"),
        ]),
      EntityDescription(
        name: "Patient",
        properties: [
          .attribute(.init(name: "name", type: .string)),
          .toOne("primaryDoctor", "Doctor", back: "patients"),
          .toMany("consulted", "Doctor", back: "consultations"),
        ]),
    ], classes: ["Doctor": Doctor.self, "Patient": Patient.self])

  /// Two doctors, the first with three patients, one of whom saw both.
  private func practice(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type, model: Self.model)
    let doctors = ["Grey", "House"].map { name in
      let doctor = Doctor(context: stack.context)
      doctor.name = name
      return doctor
    }
    for name in ["Ann", "Ben", "Cy"] {
      let patient = Patient(context: stack.context)
      patient.name = name
      patient.primaryDoctor = doctors[0]
      if name == "Ben" { patient.consulted = Set(doctors) }
    }
    try stack.context.save()
    return stack
  }

  private func doctor(_ name: String, in context: ManagedObjectContext) throws -> Doctor {
    var request = Doctor.fetchRequest()
    request.predicate = .comparison("name", .equal, .string(name))
    return try #require(try context.fetch(request).first)
  }

  @Test(arguments: Stack.allTypes)
  func `a patient reached over two paths is one object`(type: PersistentStore.StoreType) throws {
    let stack = try practice(type)
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let (grey, house) = (try doctor("Grey", in: context), try doctor("House", in: context))
    let ben = try #require(grey.patients.first { $0.name == "Ben" })
    #expect(house.consultations == [ben])
    var request = Patient.fetchRequest()
    request.predicate = .comparison("name", .equal, .string("Ben"))
    #expect(try context.fetch(request).first === ben)
    #expect(ben.primaryDoctor === grey && ben.consulted == [grey, house])
    ben.name = "Benjamin"
    #expect(house.consultations.first?.name == "Benjamin")
  }

  @Test(arguments: Stack.allTypes)
  func `a patient who changes doctors changes both lists`(type: PersistentStore.StoreType) throws {
    let stack = try practice(type)
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let (grey, house) = (try doctor("Grey", in: context), try doctor("House", in: context))
    let ann = try #require(grey.patients.first { $0.name == "Ann" })
    ann.primaryDoctor = house
    #expect(grey.patients.count == 2 && house.patients == [ann])
    house.patients.formUnion(grey.patients)
    #expect(grey.patients.isEmpty && house.patients.count == 3)
    try context.save()
    let people = try stack.reread(Patient.self)
    #expect(people.allSatisfy { $0.primaryDoctor?.name == "House" } && people.count == 3)
  }

  @Test(arguments: Stack.allTypes)
  func `a patient edited in two contexts is one patient again when both have saved`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try practice(type)
    let contexts = [stack.anotherContext(), stack.anotherContext()]
    stack.rereading += contexts
    let anns = try contexts.map { context in
      try #require(try context.fetch(Patient.fetchRequest()).first { $0.name == "Ann" })
    }
    #expect(anns[0] !== anns[1] && anns[0].objectID == anns[1].objectID)
    anns[0].name = "Anna"
    anns[1].primaryDoctor = try doctor("House", in: contexts[1])
    #expect(anns[1].name == "Ann" && anns[0].primaryDoctor?.name == "Grey")
    try contexts[0].save()
    #expect(anns[1].name == "Ann")
    // The second is refused, looks at what is stored, and keeps its change.
    let conflict = #expect(throws: ConflictError.self) { try contexts[1].save() }
    #expect(conflict?.objectID == anns[1].objectID)
    try contexts[1].refresh(anns[1], mergeChanges: true)
    #expect(anns[1].name == "Anna" && anns[1].primaryDoctor?.name == "House")
    try contexts[1].save()
    // And the first is notified of it.
    try contexts[0].refresh(anns[0], mergeChanges: true)
    #expect(anns[0].primaryDoctor?.name == "House")
    #expect(try doctor("Grey", in: contexts[0]).patients.map(\.name).sorted() == ["Ben", "Cy"])

    // With a policy no code has to look.
    anns[0].name = "Annabel"
    try contexts[0].save()
    anns[1].primaryDoctor = nil
    contexts[1].mergePolicy = .mergeByPropertyObjectTrump
    try contexts[1].save()
    let stored = try #require(
      try stack.reread(Patient.self).first { $0.objectID == anns[0].objectID })
    #expect(stored.name == "Annabel" && stored.primaryDoctor == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted doctor is removed from the patients`(type: PersistentStore.StoreType) throws {
    let stack = try practice(type)
    let context = stack.anotherContext()
    stack.rereading.append(context)
    context.delete(try doctor("Grey", in: context))
    try context.save()
    let people = try stack.reread(Patient.self)
    #expect(people.count == 3 && people.allSatisfy { $0.primaryDoctor == nil })
    let ben = try #require(people.first { $0.name == "Ben" })
    #expect(ben.consulted.map(\.name) == ["House"])
  }
}

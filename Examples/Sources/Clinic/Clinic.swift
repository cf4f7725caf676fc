import ManagedObjects

/// A day at the clinic, chapter by chapter.
@main
struct Clinic {
  static func main() async throws {
    // In memory, so that every run starts afresh.
    let container = try PersistentContainer(name: "Clinic", model: .clinic, storeURL: nil)
    let context = container.viewContext
    try Doctor.addSamples(to: context)

    try problems(in: container)
    try templates(in: context)
    try fetchedProperties(in: context)
    try validation(in: context)
    try await otherContexts(in: container)
    try undoing(in: context)
  }

  /// An object is a fault until a value is read; prefetching fires the faults of many at once.
  @MainActor
  static func problems(in container: PersistentContainer) throws {
    print("Faults")
    let context = container.newBackgroundContext()
    var request = Patient.fetchRequest()
    request.sortDescriptors = [.init(key: "name")]
    guard let ann = try context.fetch(request).first, let doctor = ann.doctor else { return }
    print("  \(ann.name)'s doctor is a fault: \(doctor.isFault)")
    print("  \(ann.name)'s doctor is \(doctor.name), a fault: \(doctor.isFault)")

    let other = container.newBackgroundContext()
    request.relationshipKeyPathsForPrefetching = ["doctor"]
    let doctors = try other.fetch(request).compactMap(\.doctor)
    print("  faults among \(doctors.count) prefetched: \(doctors.filter(\.isFault).count)")
  }

  /// A fetch request template of the model, with a variable.
  static func templates(in context: ManagedObjectContext) throws {
    print("Templates")
    let model = context.persistentStoreCoordinator.managedObjectModel
    guard
      var request = try model.fetchRequestFromTemplate(
        withName: "patientsOfDoctor", substitutionVariables: ["DOCTOR": "House"])
    else { return }
    request.sortDescriptors = [.init(key: "name")]
    let patients = try context.fetch(request).compactMap { $0 as? Patient }
    print("  House has " + patients.map(\.name).joined(separator: " and "))
  }

  /// A fetched property: the doctor's patients with a fever.
  static func fetchedProperties(in context: ManagedObjectContext) throws {
    print("Fetched properties")
    guard let house = try Doctor.named("House", in: context) else { return }
    print("  with a fever: \(house.feverish.count)")
    try Patient.named("Dan", in: context)?.temperature = 39.2
    try context.save()
    print("  with a fever: \(house.feverish.map(\.name))")
  }

  /// A save fails if the model or the class does not allow the values.
  static func validation(in context: ManagedObjectContext) throws {
    print("Validation")
    guard let ben = try Patient.named("Ben", in: context) else { return }
    ben.temperature = 390
    ben.room = 7
    ben.doctor = nil
    do {
      try context.save()
    } catch let error as ValidationError {
      for failure in error.failures { print("  \(failure)") }
    }
    context.rollback()
    print("  \(ben.name) has \(ben.temperature) degrees again")
  }

  /// Another context works in its own isolation; its changes are merged here after it saves.
  @MainActor
  static func otherContexts(in container: PersistentContainer) async throws {
    print("Other contexts")
    let context = container.viewContext
    context.automaticallyMergesChangesFromParent = true
    guard let cleo = try Patient.named("Cleo", in: context) else { return }
    let id = cleo.objectID
    try await container.performBackgroundTask { context in
      guard let cleo = try context.existingObject(with: id) as? Patient else { return }
      cleo.room = 12
      try context.save()
    }
    context.processPendingChanges()
    print("  \(cleo.name) is in room \(cleo.room ?? 0)")
  }

  /// A form uses a child context; its save is a single action to undo.
  static func undoing(in context: ManagedObjectContext) throws {
    print("Undoing")
    context.undoManager = ContextUndoManager()
    let form = ManagedObjectContext(parent: context)
    let doctor = Doctor(context: form)
    doctor.name = "Watson"
    for name in ["Ann", "Ben"] { try Patient.named(name, in: form)?.doctor = doctor }
    try form.save()
    context.undoManager?.setActionName("New Doctor")

    let ann = try Patient.named("Ann", in: context)
    print("  Ann's doctor is \(ann?.doctor?.name ?? "nobody")")
    print("  \(context.undoManager?.undoMenuItemTitle ?? "")")
    context.undo()
    print("  Ann's doctor is \(ann?.doctor?.name ?? "nobody")")
    print("  changes that are left: \(context.hasChanges)")
  }
}

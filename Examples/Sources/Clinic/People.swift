import ManagedObjects

final class Doctor: ManagedObject {}

final class Patient: ManagedObject {
  /// The model limits the temperature; this class adds the rule that a patient in a room has a
  /// doctor.
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if room != nil, doctor == nil {
      throw ValidationError(self, property: "room", "\(name) is in a room and has no doctor.")
    }
  }
}

extension Doctor {
  /// Adds two doctors with two patients each.
  static func addSamples(to context: ManagedObjectContext) throws {
    for (name, patients) in [("Grey", ["Ann", "Ben"]), ("House", ["Cleo", "Dan"])] {
      let doctor = Doctor(context: context)
      doctor.name = name
      for name in patients {
        let patient = Patient(context: context)
        patient.name = name
        patient.doctor = doctor
      }
    }
    try context.save()
  }

  static func named(_ name: String, in context: ManagedObjectContext) throws -> Doctor? {
    var request = Doctor.fetchRequest()
    request.predicate = \Doctor.name == name
    return try context.fetch(request).first
  }
}

extension Patient {
  static func named(_ name: String, in context: ManagedObjectContext) throws -> Patient? {
    var request = Patient.fetchRequest()
    request.predicate = \Patient.name == name
    return try context.fetch(request).first
  }
}

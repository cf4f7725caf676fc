/// The models of the program's containers, for `entity()` of a class.
final class LoadedModels: @unchecked Sendable {
  // Unchecked: the models are read and added under the lock.
  static let shared = LoadedModels()
  private let lock = NSLock()
  private var models: [ManagedObjectModel] = []

  func add(_ model: ManagedObjectModel) {
    lock.withLock {
      models.removeAll { $0.entityVersionHashesByName == model.entityVersionHashesByName }
      models.append(model)
    }
  }

  func entity(ofClassNamed name: String) -> EntityDescription? {
    lock.withLock {
      // The last model takes precedence: others may be older versions.
      models.reversed().lazy.flatMap(\.entities).first { $0.managedObjectClassName == name }
    }
  }
}

extension ManagedObjectModel {
  /// Finds the model that momc generated in the module of a file.
  static func model(named name: String, besideFile fileID: String) -> ManagedObjectModel? {
    let module = fileID.prefix { $0 != "/" }
    let word = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let type = _typeByName("\(module).DataModel_\(word)") as? any NamedDataModel.Type
    return type?.managedObjectModel
  }
}

extension ManagedObject {
  /// The entity with this class, in the models of the program's containers.
  ///
  ///     NSBatchInsertRequest(entity: Dog.entity(), objects: objects)
  ///
  /// - Precondition: a container was created whose model has such an entity.
  public class func entity() -> EntityDescription {
    let name = String(describing: self)
    guard let entity = LoadedModels.shared.entity(ofClassNamed: name) else {
      fatalError("No model that was loaded has an entity of the class \(name).")
    }
    return entity
  }
}

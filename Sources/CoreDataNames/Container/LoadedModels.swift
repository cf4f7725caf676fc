import Foundation
public import ManagedObjects

/// The models that the program's containers have, for `entity()` of a class.
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
      // The last one counts: others may be older versions.
      models.reversed().lazy.flatMap(\.entities).first { $0.managedObjectClassName == name }
    }
  }
}

/// A model that momc wrote, for `NSPersistentContainer(name:)` to find by its name.
public protocol NamedDataModel {
  /// The model in its current version.
  static var managedObjectModel: ManagedObjectModel { get }
}

extension ManagedObjectModel {
  /// Finds what momc wrote of a model in the module of a file.
  static func model(named name: String, besideFile fileID: String) -> ManagedObjectModel? {
    let module = fileID.prefix { $0 != "/" }
    let word = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let type = _typeByName("\(module).DataModel_\(word)") as? any NamedDataModel.Type
    return type?.managedObjectModel
  }
}

extension ManagedObject {
  /// The entity whose class this is, in the models of the program's containers.
  ///
  ///     NSBatchInsertRequest(entity: Dog.entity(), objects: objects)
  ///
  /// - Precondition: a container was made whose model has such an entity.
  public class func entity() -> EntityDescription {
    let name = String(describing: self)
    guard let entity = LoadedModels.shared.entity(ofClassNamed: name) else {
      fatalError("No model that was loaded has an entity of the class \(name).")
    }
    return entity
  }
}

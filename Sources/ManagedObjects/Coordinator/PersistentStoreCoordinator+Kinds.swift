import DataModel
import SystemLibraries

/// The kinds of stores that a coordinator makes.
extension PersistentStoreCoordinator {
  /// The kinds of documents.
  static var documentTypes: [any StoreDocument.Type] { StoredDocument.kinds }

  /// Opens a store of a kind, or makes one.
  ///
  /// - Throws: `PersistentStoreError` with the reason.
  static func makeStore(
    _ type: PersistentStore.StoreType, at url: URL?, model: ManagedObjectModel,
    options: PersistentStoreOptions, offset: Int
  ) throws -> any RowStore {
    if type == .inMemory {
      try model.checkDerivations()
      return InMemoryStore(model: model, identifier: UUID().uuidString, offset: offset)
    }
    guard let url else { fatalError("\(type == .xml ? "An" : "A") \(type) store needs a URL.") }
    if type == .sqlite {
      return try openOrMigrate(url, model: model, options: options, offset: offset)
    }
    return try DocumentStore.open(
      url, as: documentType(type), model: model, options: options, offset: offset)
  }

  /// How documents of a kind are read.
  static func documentType(_ type: PersistentStore.StoreType) -> any StoreDocument.Type {
    guard let document = documentTypes.first(where: { $0.type == type }) else {
      fatalError("There is no kind \(type) of stores.")
    }
    return document
  }
}

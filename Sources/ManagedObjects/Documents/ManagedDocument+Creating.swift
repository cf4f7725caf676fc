import DataModel
import SystemLibraries

extension ManagedDocument {
  /// Creates the document at its URL, empty, and opens it.
  ///
  ///     try ManagedDocument(fileURL: url, managedObjectModel: model).create()
  ///
  /// It is created in a hidden folder next to its URL, and renamed when all of it is on the disk: a
  /// process that is killed leaves no incomplete document. The parent folder must exist.
  ///
  /// - Throws: `ManagedDocumentError.exists` if a file exists at the URL; `PersistentStoreError` if
  ///   it cannot be written; errors that `writeAdditionalContent(to:)` throws.
  public func create() throws {
    guard stack == nil else { throw ManagedDocumentError.exists(fileURL) }
    try DocumentPackage.make(at: fileURL, storeName: Self.persistentStoreName) { draft in
      try PersistentStoreCoordinator.createStore(at: draft.storeURL, model: managedObjectModel)
      try draft.writeMetadata()
      try draft.replaceContent { try writeAdditionalContent(to: $0) }
    }
    hasUnsavedContent = false
    try open()
  }
}

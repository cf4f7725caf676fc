import DataModel
import SystemLibraries

extension ManagedDocument {
  /// Makes the document at its URL, empty, and opens it.
  ///
  ///     try ManagedDocument(fileURL: url, managedObjectModel: model).create()
  ///
  /// It is made in a hidden folder beside its URL, and gets its name when all of it is on the disk:
  /// a process that is killed leaves no half document. The folder around it has to be there.
  ///
  /// - Throws: `ManagedDocumentError.exists` where something is there already;
  ///   `PersistentStoreError` where it cannot be written; what `writeAdditionalContent(to:)`
  ///   throws.
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

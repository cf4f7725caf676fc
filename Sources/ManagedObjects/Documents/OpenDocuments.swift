import SystemLibraries

/// The open documents of this process, so that those of one file can notify each other.
@MainActor
final class OpenDocuments {
  static let shared = OpenDocuments()

  private struct Entry {
    weak var document: ManagedDocument?
  }
  private var entries: [Entry] = []

  /// All open documents.
  var documents: [ManagedDocument] { entries.compactMap(\.document) }

  func add(_ document: ManagedDocument) {
    entries.removeAll { $0.document == nil }
    entries.append(Entry(document: document))
  }

  func remove(_ document: ManagedDocument) {
    entries.removeAll { $0.document == nil || $0.document === document }
  }

  /// Makes other documents of the same store merge changes that one has saved.
  func tell(_ changes: ChangedObjectIDs, of document: ManagedDocument) {
    guard let identifier = document.stack?.store.identifier else { return }
    for other in documents
    where other !== document && other.stack?.store.identifier == identifier
      && other.isSameFile(as: document)
    {
      other.takeOver(changes)
    }
  }
}

extension ManagedDocument {
  /// Whether two documents are the same folder: a copy has the same identifier.
  fileprivate func isSameFile(as other: ManagedDocument) -> Bool {
    var (info, otherInfo) = (stat(), stat())
    return stat(fileURL.filePath, &info) == 0 && stat(other.fileURL.filePath, &otherInfo) == 0
      && info.st_dev == otherInfo.st_dev && info.st_ino == otherInfo.st_ino
  }

  /// Merges changes that another document of this file has saved.
  fileprivate func takeOver(_ changes: ChangedObjectIDs) {
    guard let stack else { return }
    // IDs belong to a coordinator; their URIs are valid for the store.
    func own(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
      ids.compactMap {
        stack.coordinator.managedObjectID(forURIRepresentation: $0.uriRepresentation())
      }
    }
    let changes = ChangedObjectIDs(
      inserted: own(changes.inserted), updated: own(changes.updated), deleted: own(changes.deleted),
      refreshed: own(changes.refreshed))
    do { try stack.writer.mergeChanges(from: changes) } catch {
      // Handled like a fault that cannot be fired: the next save throws the error.
      stack.writer.faultingError = stack.writer.faultingError ?? error
    }
    stack.context.processPendingChanges()
    onSave?(changes)
  }

  /// Merges changes that other processes have saved; unsaved changes are kept.
  ///
  ///     try document.mergeRemoteChanges()
  ///
  /// - Throws: `PersistentStoreError` if they cannot be read.
  public func mergeRemoteChanges() throws {
    guard let stack else { throw ManagedDocumentError.closed(fileURL) }
    try stack.writer.refreshAllObjects()
    try stack.context.refreshAllObjects()
  }
}

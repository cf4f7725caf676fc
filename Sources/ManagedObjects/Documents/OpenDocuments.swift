import SystemLibraries

/// The documents that are open in this process, so that those of one file tell each other.
@MainActor
final class OpenDocuments {
  static let shared = OpenDocuments()

  private struct Entry {
    weak var document: ManagedDocument?
  }
  private var entries: [Entry] = []

  /// Every document that is open.
  var documents: [ManagedDocument] { entries.compactMap(\.document) }

  func add(_ document: ManagedDocument) {
    entries.removeAll { $0.document == nil }
    entries.append(Entry(document: document))
  }

  func remove(_ document: ManagedDocument) {
    entries.removeAll { $0.document == nil || $0.document === document }
  }

  /// Has others of the same store take over what one has saved.
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
  /// Whether two documents are one folder: a copy has the same identifier.
  fileprivate func isSameFile(as other: ManagedDocument) -> Bool {
    var (info, otherInfo) = (stat(), stat())
    return stat(fileURL.filePath, &info) == 0 && stat(other.fileURL.filePath, &otherInfo) == 0
      && info.st_dev == otherInfo.st_dev && info.st_ino == otherInfo.st_ino
  }

  /// Takes over what another document of this file has saved.
  fileprivate func takeOver(_ changes: ChangedObjectIDs) {
    guard let stack else { return }
    // IDs are a coordinator's; their URIs are the store's.
    func own(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
      ids.compactMap {
        stack.coordinator.managedObjectID(forURIRepresentation: $0.uriRepresentation())
      }
    }
    let changes = ChangedObjectIDs(
      inserted: own(changes.inserted), updated: own(changes.updated), deleted: own(changes.deleted),
      refreshed: own(changes.refreshed))
    do { try stack.writer.mergeChanges(from: changes) } catch {
      // As a fault that cannot be read: the next save says so.
      stack.writer.faultingError = stack.writer.faultingError ?? error
    }
    stack.context.processPendingChanges()
    onSave?(changes)
  }

  /// Takes over what other processes have saved; what is unsaved here stays on top.
  ///
  ///     try document.mergeChangesOfOtherProcesses()
  ///
  /// - Throws: `PersistentStoreError` where it cannot be read.
  public func mergeChangesOfOtherProcesses() throws {
    guard let stack else { throw ManagedDocumentError.closed(fileURL) }
    try stack.writer.refreshAllObjects()
    try stack.context.refreshAllObjects()
  }
}

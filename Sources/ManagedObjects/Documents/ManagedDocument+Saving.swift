import DataModel
import SystemLibraries

extension ManagedDocument {
  /// Saves unsaved changes: the additional content first, then all objects in one transaction.
  ///
  /// - Throws: `ManagedDocumentError.closed`, or `readOnly`; `ValidationError`, `ConflictError` or
  ///   `PersistentStoreError` as any save does, errors that `writeAdditionalContent(to:)` throws.
  ///   Then no change is lost: all are kept here, `documentState` shows the kind of error, and the
  ///   document tries again after the next change.
  public func save() throws {
    guard let stack else { throw ManagedDocumentError.closed(fileURL) }
    autosaving?.cancel()
    autosaving = nil
    guard hasUnsavedChanges else { return }
    do {
      guard !documentState.contains(.editingDisabled) else {
        throw ManagedDocumentError.readOnly(fileURL)
      }
      if hasUnsavedContent {
        try DocumentPackage(url: fileURL, storeName: Self.persistentStoreName)
          .replaceContent { try writeAdditionalContent(to: $0) }
        hasUnsavedContent = false
      }
      try stack.context.saveIfChanged()
      try stack.writer.saveIfChanged()
    } catch {
      savingError = error
      documentState.formUnion(error is ConflictError ? .inConflict : .savingError)
      throw error
    }
    savingError = nil
    documentState.subtract([.inConflict, .savingError])
  }

  /// Discards unsaved changes, and refreshes all objects.
  ///
  /// - Throws: `PersistentStoreError` if they cannot be read.
  public func revert() throws {
    guard let stack else { throw ManagedDocumentError.closed(fileURL) }
    stack.context.rollback()
    stack.writer.rollback()
    hasUnsavedContent = false
    stack.undoManagerForgets()
    try stack.writer.refreshAllObjects()
    try stack.context.refreshAllObjects()
    savingError = nil
    documentState.subtract([.inConflict, .savingError])
  }

  /// Schedules an autosave, if the document saves automatically.
  func scheduleAutosave() {
    guard autosaving == nil, let delay = autosaveDelay, stack != nil,
      !documentState.contains(.editingDisabled)
    else { return }
    autosaving = Task { [weak self] in
      guard (try? await Task.sleep(for: delay)) != nil else { return }
      self?.autosave()
    }
  }

  private func autosave() {
    autosaving = nil
    guard let stack else { return }
    // The end of an event: a later undo reverts the changes made up to this point.
    stack.context.processPendingChanges()
    // The error is in `savingError`, and the save is tried again.
    if (try? save()) == nil { scheduleAutosave() }
  }

  /// Notifies observers and other documents of a save.
  func didSave(_ changes: ChangedObjectIDs) {
    onSave?(changes)
    OpenDocuments.shared.tell(changes, of: self)
  }
}

extension ManagedDocument.Stack {
  /// Discards all actions that could be undone.
  fileprivate func undoManagerForgets() { context.undoManager?.removeAllActions() }
}

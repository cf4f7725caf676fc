import DataModel
import SystemLibraries

extension ManagedDocument {
  /// Saves what is unsaved: content beside the store first, then all objects in one transaction.
  ///
  /// - Throws: `ManagedDocumentError.closed`, or `readOnly`; `ValidationError`, `ConflictError` or
  ///   `PersistentStoreError` as any save does, what `writeAdditionalContent(to:)` throws. Then
  ///   nothing is lost: what was changed is still here, `documentState` tells which it was, and the
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

  /// Gives up what is unsaved, and takes over what is stored.
  ///
  /// - Throws: `PersistentStoreError` where that cannot be read.
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

  /// Saves the document in a while, where it does so by itself.
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
    // The end of an event: what is undone later is what was done until here.
    stack.context.processPendingChanges()
    // Why it failed stands in savingError, and what was changed is tried again.
    if (try? save()) == nil { scheduleAutosave() }
  }

  /// Tells everybody what this document has saved.
  func didSave(_ changes: ChangedObjectIDs) {
    onSave?(changes)
    OpenDocuments.shared.tell(changes, of: self)
  }
}

extension ManagedDocument.Stack {
  /// Nothing that was done before can be undone.
  fileprivate func undoManagerForgets() { context.undoManager?.removeAllActions() }
}

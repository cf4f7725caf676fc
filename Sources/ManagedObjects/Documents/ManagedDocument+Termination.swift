extension ManagedDocument {
  /// Saves and closes all documents when the process is asked to end, by SIGTERM or SIGINT.
  ///
  ///     let watch = ManagedDocument.closeAllAtTermination { document, error in
  ///       log("\(document.fileURL.path) could not be saved: \(error)")
  ///     }
  ///
  /// For programs with an asynchronous `main`, whose main actor is free to do it. Then the process
  /// ends as the signal would have ended it. A second signal ends it at once. After cancelling the
  /// task no code handles the signals: the process continues.
  ///
  /// - Parameter failure: called for each document that cannot be saved.
  @discardableResult
  public static func closeAllAtTermination(
    failure: @escaping @MainActor (ManagedDocument, any Error) -> Void = { _, _ in }
  ) -> Task<Void, Never> {
    // From now on, and not only once the task runs.
    let signals = TerminationSignals()
    return Task { @MainActor in
      for await signal in signals {
        for document in OpenDocuments.shared.documents {
          do { try document.close() } catch { failure(document, error) }
        }
        signal.end()
      }
    }
  }
}

@available(*, unavailable) extension FetchResult: Sendable {}

extension ManagedObjectContext {
  /// Fetches the type of result that a request specifies: for templates of a model.
  ///
  ///     guard let request = try model.fetchRequestTemplate(forName: "Totals") else { return }
  ///     if case .dictionaries(let totals) = try context.execute(request) { print(totals) }
  ///
  /// Follows Core Data's `execute(_:)`.
  ///
  /// - Throws: As `fetch(_:)` does.
  public func execute<Result: ManagedObject>(
    _ request: FetchRequest<Result>
  ) throws -> FetchResult<Result> {
    switch request.resultType {
    case .managedObject: .objects(try fetch(request))
    case .managedObjectID: .objectIDs(try fetchIDs(request))
    case .dictionary: .dictionaries(try fetchDictionaries(request))
    case .count: .count(try count(for: request))
    }
  }
}

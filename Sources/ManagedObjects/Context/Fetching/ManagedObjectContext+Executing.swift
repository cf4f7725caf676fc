public import DataModel

/// What a request gives whose result type was not known when the program was written.
public enum FetchResult<Result: ManagedObject> {
  /// Objects, as `fetch(_:)` gives them.
  case objects([Result])
  /// IDs, as `fetchIDs(_:)` gives them.
  case objectIDs([ManagedObjectID])
  /// Dictionaries, as `fetchDictionaries(_:)` gives them.
  case dictionaries([[String: AttributeValue]])
  /// How many there are, as `count(for:)` tells.
  case count(Int)
}

@available(*, unavailable) extension FetchResult: Sendable {}

extension ManagedObjectContext {
  /// Fetches what a request's result type says: for templates of a model.
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

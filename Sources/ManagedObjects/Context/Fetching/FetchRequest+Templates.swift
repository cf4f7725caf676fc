public import DataModel

extension FetchRequest {
  /// Creates the request that a description in a model stands for.
  ///
  /// Everything in it is used except the setting that objects be faults: see
  /// `returnsObjectsAsFaults`.
  ///
  /// - Throws: `PredicateFormatError` if the description's predicate cannot be parsed.
  public init(_ description: FetchRequestDescription) throws(PredicateFormatError) {
    self.init(entityName: description.entityName)
    if let format = description.predicateFormat, !format.isEmpty {
      predicate = try FetchPredicate(format: format)
    }
    fetchLimit = description.fetchLimit
    fetchBatchSize = description.fetchBatchSize
    resultType = description.resultType
    includesSubentities = description.includesSubentities
    includesPropertyValues = description.includesPropertyValues
    includesPendingChanges = description.includesPendingChanges
    returnsDistinctResults = description.returnsDistinctResults
  }
}

extension ManagedObjectModel {
  /// The model's fetch request template with a name, or nil.
  ///
  ///     let request = try model.fetchRequestTemplate(forName: "LongWalks")
  ///
  /// Its predicate may have variables, for which `withSubstitutionVariables(_:)` substitutes
  /// values. Follows Core Data's `fetchRequestTemplate(forName:)`.
  ///
  /// - Throws: `PredicateFormatError` if its predicate cannot be parsed.
  @_disfavoredOverload public func fetchRequestTemplate(
    forName name: String
  ) throws(PredicateFormatError) -> FetchRequest<ManagedObject>? {
    guard let description = fetchRequestTemplatesByName[name] else { return nil }
    return try FetchRequest(description)
  }

  /// The model's fetch request template with a name, with values for its variables.
  ///
  ///     let request = try model.fetchRequestFromTemplate(
  ///       withName: "LightDogs", substitutionVariables: ["WEIGHT": 12.5])
  ///
  /// nil if there is none of that name. Follows Core Data's
  /// `fetchRequestFromTemplate(withName:substitutionVariables:)`.
  ///
  /// - Throws: `PredicateFormatError` if its predicate cannot be parsed.
  @_disfavoredOverload public func fetchRequestFromTemplate(
    withName name: String,
    substitutionVariables variables: [String: (any FetchPredicateArgument)?]
  ) throws(PredicateFormatError) -> FetchRequest<ManagedObject>? {
    guard var request = try fetchRequestTemplate(forName: name) else { return nil }
    let predicate = request.predicate
    request.predicate = predicate?.withSubstitutionVariables(variables)
    return request
  }
}

public import ManagedObjects

extension ManagedObjectModel {
  /// The model's fetch request template with a name; nil if there is none, or its predicate cannot
  /// be parsed.
  ///
  ///     let request = model.fetchRequestTemplate(forName: "LongWalks")
  ///
  /// It is a new request: changing it does not change the model, as in Core Data.
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    let template: FetchRequest<ManagedObject>? = try? fetchRequestTemplate(forName: name)
    return template.map { NSFetchRequest($0) }
  }

  /// The model's fetch request template with a name, with values for its variables; nil
  /// as for `fetchRequestTemplate(forName:)`.
  ///
  ///     let request = model.fetchRequestFromTemplate(
  ///       withName: "LightDogs", substitutionVariables: ["WEIGHT": 12.5])
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = fetchRequestTemplate(forName: name) else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }
}

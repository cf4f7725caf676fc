public import ManagedObjects

extension ManagedObjectModel {
  /// The model's fetch request template with a name, or nil.
  ///
  ///     let request = model.fetchRequestTemplate(forName: "LongWalks")
  ///
  /// It is a new request: changing it does not change the model, as in Core Data.
  ///
  /// - Precondition: its predicate can be parsed; momc has checked those of compiled models.
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    do {
      let template: FetchRequest<ManagedObject>? = try fetchRequestTemplate(forName: name)
      return template.map { NSFetchRequest($0) }
    } catch {
      fatalError("The fetch request template \(name) cannot be used: \(error)")
    }
  }

  /// The model's fetch request template with a name, with values for its variables; nil where there
  /// is none of that name.
  ///
  ///     let request = model.fetchRequestFromTemplate(
  ///       withName: "LightDogs", substitutionVariables: ["WEIGHT": 12.5])
  ///
  /// - Precondition: as of `fetchRequestTemplate(forName:)`.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = fetchRequestTemplate(forName: name) else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }
}

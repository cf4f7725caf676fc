import DataModel

extension ManagedObject {
  /// The current result of a fetched property, with one query each time.
  ///
  ///     extension Dog { var longWalks: [Walk] { fetchedProperty("longWalks") } }
  ///
  /// momc's accessors call it. In the model's predicate, `$FETCH_SOURCE` is this object with its
  /// current values, including unsaved ones: `$FETCH_SOURCE.walks` are its walks, as a list for
  /// `IN`, `$FETCH_SOURCE.walks.@count` is their number. `$FETCHED_PROPERTY.userInfo.key` is a
  /// value of the property's user info in the model. The result is empty if the store cannot be
  /// read, or if the predicate does not fit the entities: see `ManagedObjectContext.faultingError`.
  /// Follows Core Data's fetched properties, which keep their first result.
  ///
  /// - Precondition: the entity has a fetched property of that name, its predicate can be parsed,
  ///   and the objects of its entity are `Member`s.
  public func fetchedProperty<Member: ManagedObject>(_ name: StaticString) -> [Member] {
    let entity = _entity.binding.name
    guard let found = fetchedObjects(name.description) else {
      fatalError("\(entity) has no fetched property \(name) in this model.")
    }
    require(
      found.allSatisfy { $0 is Member },
      "\(entity).\(name) finds objects that are not of the class \(Member.self).")
    return found.map { unsafeDowncast($0, to: Member.self) }  // Checked in the line before.
  }

  /// The current result of a fetched property; nil if there is none of that name.
  func fetchedObjects(_ name: String) -> [ManagedObject]? {
    let entity = _entity.binding.description
    let context = requiredContext
    let model = context.persistentStoreCoordinator.managedObjectModel
    var description: FetchedPropertyDescription?
    for case .fetchedProperty(let property) in model.properties(of: entity)
    where property.name == name {
      description = property
    }
    guard let description else { return nil }
    do {
      return try context.fetch(request(of: description))
    } catch let error as PredicateFormatError {
      fatalError("The predicate of \(entity.name).\(name) cannot be read: \(error)")
    } catch {
      context.didFail(toRead: .fetchedProperty, of: self, error)
      return []
    }
  }

  private func request(
    of property: FetchedPropertyDescription
  ) throws -> FetchRequest<ManagedObject> {
    let template = property.fetchRequest
    var request = FetchRequest<ManagedObject>(entityName: template.entityName)
    request.fetchLimit = template.fetchLimit
    request.includesSubentities = template.includesSubentities
    request.includesPendingChanges = template.includesPendingChanges
    guard let format = template.predicateFormat else { return request }
    let source = FetchSource(
      object: self, bindings: requiredContext.persistentStoreCoordinator.bindings)
    var problem: PredicateBindingError?
    request.predicate = try FetchPredicate(format: format).replacing { expression in
      switch expression.kind {
      case .variable("FETCH_SOURCE"): return .object(self.objectID)
      case .property(of: .variable("FETCH_SOURCE"), let path):
        do throws(PredicateBindingError) {
          return try source.expression(at: path)
        } catch {
          problem = problem ?? error
          return .constant(nil)
        }
      case .property(of: .variable("FETCHED_PROPERTY"), let path):
        return .constant(property.note(at: path).map { .string($0) })
      default: return nil
      }
    }
    if let problem { throw problem }
    return request
  }
}

extension FetchedPropertyDescription {
  /// The value of the property's user info under `userInfo.key`.
  fileprivate func note(at path: String) -> String? {
    let parts = path.split(separator: ".", maxSplits: 1)
    return parts.first == "userInfo" && parts.count == 2 ? userInfo[String(parts[1])] : nil
  }
}

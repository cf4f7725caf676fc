extension FetchedResultsController {
  /// Removes a cache, or all of this program's with nil.
  ///
  ///     FetchedResultsController<Walk>.deleteCache(withName: "walks")
  ///
  /// There is no need to for what changes: a cache is used only where request, model and store are
  /// those that it was made of. Follows Core Data's `deleteCache(withName:)`.
  public static func deleteCache(withName name: String?) {
    FetchedResultsCache.delete(named: name, in: nil)
  }

  /// What the cache has to be of; nil where there is none.
  func cache(for request: FetchRequest<Result>) -> FetchedResultsCache? {
    guard let cacheName else { return nil }
    if let sectionKeyPath {
      // What a class makes names of may change without the store.
      guard let entity = try? managedObjectContext.entities(askedBy: request).first?.binding,
        sectionKeyPath.leadsToAttribute(from: entity, in: managedObjectContext)
      else { return nil }
    }
    return FetchedResultsCache(
      named: cacheName, in: cacheFolder, for: request, sectionNameKeyPath: sectionNameKeyPath,
      in: managedObjectContext)
  }

  /// The sections that a cache has, of objects whose values come by the batch; nil where it has
  /// none.
  func sections(
    in cache: FetchedResultsCache?
  ) throws -> [FetchedResultsSection<Result>]? {
    guard let cached = cache?.read() else { return nil }
    try managedObjectContext.adoptStoresOrThrow()
    var sections: [FetchedResultsSection<Result>] = []
    for section in cached {
      var objects: [Result] = []
      objects.reserveCapacity(section.objects.count)
      for (key, index) in section.objects {
        guard managedObjectContext.hasEntity(at: index) else { return nil }
        guard let object = managedObjectContext.fault(key, entity: index) as? Result else {
          return nil
        }
        objects.append(object)
      }
      sections.append(FetchedResultsSection(name: section.name, objects: objects))
    }
    let size = fetchRequest.fetchBatchSize > 0 ? fetchRequest.fetchBatchSize : 100
    try managedObjectContext.batch(sections.flatMap(\.objects), by: size)
    return sections
  }

  /// Whether the context has read rows before that section names come from.
  func holdsNames(for request: FetchRequest<Result>) throws -> Bool {
    guard let sectionKeyPath,
      let entity = try managedObjectContext.entities(askedBy: request).first?.binding
    else { return false }
    let ends = entity.wayThroughToOnes(sectionKeyPath.keys, in: managedObjectContext)
      .map(\.destination)
    return Set(([entity.index] + ends).map { managedObjectContext.binding(at: $0).root })
      .contains { root in
        managedObjectContext.contextEntity(at: root).table.objects.contains { $0._slots != nil }
      }
  }

  /// Keeps the sections in a cache, where they can be told apart by their ends.
  func keep(_ sections: [FetchedResultsSection<Result>], in cache: FetchedResultsCache?) {
    cache?.write(
      sections.map { section in
        .init(
          name: section.name,
          objects: section.objects.map { ($0._key, $0._entity.binding.index) })
      })
  }
}

extension ManagedObjectContext {
  fileprivate func hasEntity(at index: Int) -> Bool { entities.indices.contains(index) }

  /// The object with a key, of an entity itself: the registered one, or a new fault.
  fileprivate func fault(_ key: Int64, entity index: Int) -> ManagedObject {
    registeredObject(key, of: index)
      ?? makeObject(key, entity: contextEntity(at: index), row: nil)
  }
}

import DataModel
import SystemLibraries

/// The result of a request that is kept up to date, in sections, with a report of every change.
///
///     var request = Walk.fetchRequest()
///     request.sortDescriptors = [.init(key: "dog.name"), .init(key: "date")]
///     let controller = FetchedResultsController(
///       fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "dog.name")
///     try controller.performFetch()
///     controller.onChange = { changes in
///       for change in changes { list.apply(change) }
///     }
///     controller.object(at: .init(section: 0, item: 2))
///
/// It follows each event of its context: at `processPendingChanges()`, after a save, a merge, a
/// refresh or a rollback. Unsaved changes count unless the request says otherwise. Events that
/// touch none of its objects cost nothing but a look at what changed, unless a closure or a class
/// names the sections, others O(n) in memory; it fetches again after a merge, a refresh or a
/// rollback, where the request has a limit, and where an object was changed that others are judged,
/// sorted or named by. It holds its objects, and stays in the context's isolation; `changes()` may
/// be read elsewhere. After a `reset()` of its context it has to fetch again. Follows Core Data's
/// `NSFetchedResultsController`.
public final class FetchedResultsController<Result: ManagedObject> {
  /// What is asked for; a change counts from the next `performFetch()` on.
  public var fetchRequest: FetchRequest<Result>
  /// Where it is asked.
  public let managedObjectContext: ManagedObjectContext
  /// The attribute whose value names an object's section, or a key path through to-ones and
  /// composites to one; or a key that the class answers.
  ///
  /// A key that is no property is answered by the object's `value(forUndefinedKey:)`.
  public let sectionNameKeyPath: String?
  /// The name of the cache in which the list is kept on disk; nil for none.
  public let cacheName: String?
  /// Where caches are; nil for the usual place.
  var cacheFolder: URL?
  /// The sections, in the order of their first objects; empty before `performFetch()`.
  ///
  /// Where nothing names them there is one, with no name, be it empty.
  public private(set) var sections: [FetchedResultsSection<Result>] = []
  /// Called with the steps from the old list to the new one, after `sections` has changed.
  public var onChange: (([FetchedResultsChange]) -> Void)?
  /// Told the same steps one by one; not held.
  public weak var delegate: (any FetchedResultsControllerDelegate<Result>)?
  /// Why the last look after an event failed, nil where it did not; the list is as before then, and
  /// the next event catches up.
  public private(set) var lastError: (any Error)?

  /// The key path as it is followed; nil where there is none.
  let sectionKeyPath: SectionNameKeyPath?
  private let sectionName: (Result) -> String
  private let isNamedByClosure: Bool
  /// The request as it was when it was last fetched.
  private var performed: FetchRequest<Result>
  /// The objects that were changed in events since a look failed; nil while the last did not.
  private var missed: [ManagedObject]?
  /// The IDs of objects that were shown with temporary ones.
  private var temporaryIDs: [ObjectIdentifier: ManagedObjectID] = [:]
  /// Whether every section's objects stand together in the request's order.
  private var isContiguous = true
  /// How often the store was asked.
  private(set) var fetchCount = 0
  private var observations: [ContextObservation] = []
  private var streams: [AsyncStream<[FetchedResultsChange]>.Continuation] = []

  /// Creates a controller; it has no objects until `performFetch()`.
  ///
  /// With a key path, objects with the same value are a section. So that sections don't mix, sort
  /// by that value first, or by one that orders objects alike. nil makes one section of all.
  ///
  /// With a cache's name the list is kept in the user's folder for caches, and the next controller
  /// of that name has it at once, its objects as faults that are read by the batch: where the
  /// request, the sections, the model and the store are the same, and nobody has written to the
  /// store since. Lists of unsaved objects, of several stores and of stores in memory, what depends
  /// on the time, on closures or on keys that are no properties, and sections that are named by
  /// objects which were read before the fetch are not kept.
  ///
  ///     FetchedResultsController(
  ///       fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "dog.name",
  ///       cacheName: "walks")
  ///
  /// - Precondition: the key path leads through to-ones to an attribute, or to a key that the
  ///   objects' class answers in `value(forUndefinedKey:)`.
  public convenience init(
    fetchRequest: FetchRequest<Result>, managedObjectContext: ManagedObjectContext,
    sectionNameKeyPath: String? = nil, cacheName: String? = nil
  ) {
    let keyPath = sectionNameKeyPath.map { SectionNameKeyPath($0) }
    self.init(
      fetchRequest: fetchRequest, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: cacheName, isNamedByClosure: false
    ) { keyPath?.name(of: $0) ?? "" }
  }

  /// Creates a controller whose sections a closure names.
  ///
  ///     FetchedResultsController(fetchRequest: request, managedObjectContext: context) { walk in
  ///       walk.month
  ///     }
  public convenience init(
    fetchRequest: FetchRequest<Result>, managedObjectContext: ManagedObjectContext,
    sectionName: @escaping (Result) -> String
  ) {
    self.init(
      fetchRequest: fetchRequest, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: nil, cacheName: nil, isNamedByClosure: true, sectionName: sectionName)
  }

  private init(
    fetchRequest: FetchRequest<Result>, managedObjectContext: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?, isNamedByClosure: Bool,
    sectionName: @escaping (Result) -> String
  ) {
    self.cacheName = cacheName
    self.isNamedByClosure = isNamedByClosure
    self.fetchRequest = fetchRequest
    performed = fetchRequest
    self.managedObjectContext = managedObjectContext
    self.sectionNameKeyPath = sectionNameKeyPath
    sectionKeyPath = sectionNameKeyPath.map { SectionNameKeyPath($0) }
    self.sectionName = sectionName
  }

  deinit { for stream in streams { stream.finish() } }

  // MARK: Looking

  /// Fetches the objects and begins to follow their changes; reports nothing.
  ///
  /// - Throws: What `ManagedObjectContext.fetch(_:)` throws.
  public func performFetch() throws {
    performed = fetchRequest
    let cache = cache(for: performed)
    if let cached = try sections(in: cache) {
      isContiguous = true
      show(cached)
    } else {
      // Objects that were read before may have older names than the store.
      let isOfStore = try cache != nil && !holdsNames(for: performed)
      show(try fetchSections())
      if isContiguous, isOfStore { keep(sections, in: cache) }
    }
    (lastError, missed) = (nil, nil)
    guard observations.isEmpty else { return }
    observations = [
      // Also when an object was made and deleted in one event: the fetch may have found it between.
      managedObjectContext.observe(.objectsDidChange, hearsAll: true) { [weak self] in
        self?.follow($0)
      },
      // What was inserted has other IDs, and may stand elsewhere.
      managedObjectContext.observe(.didSave) { [weak self] in
        guard !$0.inserted.isEmpty else { return }
        self?.follow(ObjectChanges(inserted: $0.inserted))
      },
    ]
  }

  /// Takes an event over and reports what has come of it.
  private func follow(_ changes: ObjectChanges) {
    let (newIDs, renamed) = permanentIDs()
    let changed = (missed ?? []) + changes.updated + changes.refreshed
    do {
      // Among equals the keys decide on the order.
      var changes = changes
      changes.updated += renamed
      let new = try sections(after: changes)
      (lastError, missed) = (nil, nil)
      guard let new else { return report(newIDs, sections) }
      let difference = FetchedResultsDifference(
        from: sections, to: new, changed: Set(changed.map { ObjectIdentifier($0) }))
      report(newIDs + difference.changes, new)
    } catch {
      // The next event catches up.
      (lastError, missed) = (error, changed)
      report(newIDs, sections)
    }
  }

  /// The sections after an event; nil where it touches none of the objects.
  private func sections(after changes: ObjectChanges) throws -> [FetchedResultsSection<Result>]? {
    guard isContiguous, missed == nil,
      let update = try FetchedResultsUpdate(
        performed, names: sectionKeyPath, changes, in: managedObjectContext)
    else { return try fetchSections() }
    return updated(by: update, changes)
  }

  /// The steps that tell of permanent IDs of objects that were reported with temporary ones, and
  /// those objects.
  private func permanentIDs() -> (steps: [FetchedResultsChange], objects: [Result]) {
    guard !temporaryIDs.isEmpty else { return ([], []) }
    var steps: [FetchedResultsChange] = []
    var objects: [Result] = []
    for (section, content) in sections.enumerated() {
      for (item, object) in content.objects.enumerated() where object._key > 0 {
        guard let id = temporaryIDs[ObjectIdentifier(object)] else { continue }
        steps.append(
          .obtainPermanentID(
            object.objectID, insteadOf: id,
            at: FetchedResultsIndexPath(section: section, item: item)))
        objects.append(object)
      }
    }
    return (steps, objects)
  }

  /// Has new sections be those that are there.
  private func show(_ new: [FetchedResultsSection<Result>]) {
    sections = new
    temporaryIDs.removeAll()
    for object in new.lazy.flatMap(\.objects) where object._key < 0 {
      temporaryIDs[ObjectIdentifier(object)] = object.objectID
    }
  }

  private func report(
    _ changes: [FetchedResultsChange], _ new: [FetchedResultsSection<Result>]
  ) {
    guard !changes.isEmpty else { return show(new) }
    // A delegate is given objects, which know their IDs.
    let steps = changes.filter { !$0.isAboutID }
    guard let delegate, !steps.isEmpty else {
      show(new)
      return tell(changes)
    }
    var objects: [ManagedObjectID: Result] = [:]
    for section in sections + new {
      for object in section.objects { objects[object.objectID] = object }
    }
    delegate.controllerWillChangeContent(self)
    show(new)
    for change in steps { delegate.tell(change, of: self) { objects[$0] } }
    delegate.controllerDidChangeContent(self)
    tell(changes)
  }

  private func tell(_ changes: [FetchedResultsChange]) {
    onChange?(changes)
    streams.removeAll {
      // Nobody reads it any more.
      if case .terminated = $0.yield(changes) { true } else { false }
    }
  }

  /// The sections after an event; nil where it touches none of the objects.
  private func updated(
    by update: FetchedResultsUpdate<Result>, _ changes: ObjectChanges
  ) -> [FetchedResultsSection<Result>]? {
    var touched: Set<ObjectIdentifier> = []
    var entering: [Result] = []
    for object in changes.inserted + changes.updated where update.isOfFamily(object) {
      guard touched.insert(ObjectIdentifier(object)).inserted else { continue }
      // The request's entity was found to have objects of the class alone.
      if update.contains(object) { entering.append(unsafeDowncast(object, to: Result.self)) }
    }
    for object in changes.deleted + changes.passing where update.isOfFamily(object) {
      touched.insert(ObjectIdentifier(object))
    }
    // What a closure or a class looks at, nobody knows.
    guard !touched.isEmpty || isNamedByClosure || update.isNamedByClass else { return nil }
    let staying = sections.flatMap { section in
      section.objects.filter {
        !touched.contains(ObjectIdentifier($0))
          && $0._state.isDisjoint(with: [.deleted, .gone])
      }
    }
    return sections(of: update.merging(entering, into: staying))
  }

  private func fetchSections() throws -> [FetchedResultsSection<Result>] {
    fetchCount += 1
    return sections(of: try managedObjectContext.fetch(performed))
  }

  private func sections(of objects: [Result]) -> [FetchedResultsSection<Result>] {
    var sections: [FetchedResultsSection<Result>] = []
    var indexes: [String: Int] = [:]
    isContiguous = true
    guard sectionNameKeyPath != nil || isNamedByClosure else {
      return [FetchedResultsSection(name: "", objects: objects)]
    }
    for object in objects {
      let name = sectionName(object)
      if let last = sections.indices.last, sections[last].name == name {
        sections[last].objects.append(object)
      } else if let index = indexes[name] {
        isContiguous = false
        sections[index].objects.append(object)
      } else {
        indexes[name] = sections.count
        sections.append(FetchedResultsSection(name: name, objects: [object]))
      }
    }
    return sections
  }

  // MARK: What is there

  /// All objects, section after section.
  public var fetchedObjects: [Result] { sections.flatMap(\.objects) }

  /// The object at an index.
  ///
  /// - Precondition: there is one.
  public func object(at indexPath: FetchedResultsIndexPath) -> Result {
    require(
      sections.indices.contains(indexPath.section)
        && sections[indexPath.section].objects.indices.contains(indexPath.item),
      "There is no object at \(indexPath).")
    return sections[indexPath.section].objects[indexPath.item]
  }

  /// Where an object is, or nil where it is not among the results; O(n).
  public func indexPath(forObject object: Result) -> FetchedResultsIndexPath? {
    for (section, content) in sections.enumerated() {
      if let item = content.objects.firstIndex(where: { $0 === object }) {
        return FetchedResultsIndexPath(section: section, item: item)
      }
    }
    return nil
  }

  /// The sections' titles for an index, each once, in the sections' order.
  public var sectionIndexTitles: [String] {
    var titles: [String] = []
    for section in sections {
      if let title = section.indexTitle, !titles.contains(title) { titles.append(title) }
    }
    return titles
  }

  /// The first section with an index title, or nil where none has it.
  public func section(forSectionIndexTitle title: String) -> Int? {
    sections.firstIndex { $0.indexTitle == title }
  }

  // MARK: Changes elsewhere

  /// The reports from now on, to be read in any isolation; ends with the controller.
  ///
  ///     for await changes in controller.changes() { await screen.apply(changes) }
  ///
  /// Nothing is lost: reports wait until they are read.
  public func changes() -> AsyncStream<[FetchedResultsChange]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [FetchedResultsChange].self)
    streams.append(continuation)
    return stream
  }
}

@available(*, unavailable) extension FetchedResultsController: Sendable {}

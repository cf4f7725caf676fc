/// A controller that manages the results of a fetch request and follows their changes.
///
///     let controller = NSFetchedResultsController(
///       fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
///     controller.delegate = list
///     try controller.performFetch()
///
/// A delegate is notified when an event ends: at a save, at `processPendingChanges()`, or at the
/// end of a `perform(_:)`. It receives another instance than this one, of `NSFetchRequestResult`,
/// for the same list.
open class NSFetchedResultsController<ResultType> {
  /// The fetch request.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The context that the objects are fetched in.
  public let managedObjectContext: ManagedObjectContext
  /// The key path of the sections' names; nil for one section.
  public let sectionNameKeyPath: String?
  /// The name of the list's cache on disk; nil for none.
  public let cacheName: String?
  private let list: FetchedResultsList

  /// Creates a controller, which is empty until it fetches.
  ///
  /// - Precondition: the request has sort descriptors.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    self.fetchRequest = fetchRequest
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    cacheName = name
    list = FetchedResultsList(
      fetchRequest.fetchRequest, context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
    list.makeController = { list in
      NSFetchedResultsController<any NSFetchRequestResult>(
        fetchRequest.typed(), context, sectionNameKeyPath, name, list)
    }
  }

  /// Creates an empty controller that cannot fetch, as an initial value of a variable.
  ///
  ///     var controller: NSFetchedResultsController<Dog> = NSFetchedResultsController()
  public convenience init() {
    self.init(
      fetchRequest: NSFetchRequest(entityName: ""),
      managedObjectContext: ManagedObjectContext(concurrencyType: .mainQueueConcurrencyType),
      sectionNameKeyPath: nil, cacheName: nil)
  }

  private init(
    _ fetchRequest: NSFetchRequest<ResultType>, _ context: ManagedObjectContext,
    _ sectionNameKeyPath: String?, _ name: String?, _ list: FetchedResultsList
  ) {
    self.fetchRequest = fetchRequest
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    cacheName = name
    self.list = list
  }

  /// The object that is notified of changes of the list.
  public var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { list.delegate }
    set { list.delegate = newValue }
  }

  /// Fetches the list by the current request.
  ///
  /// - Throws: as the context's `fetch(_:)`.
  public func performFetch() throws {
    try list.performFetch(fetchRequest.fetchRequest)
  }

  /// The objects in their order; nil before they are fetched.
  public var fetchedObjects: [ResultType]? {
    list.isFetched ? list.controller.fetchedObjects.map(result) : nil
  }

  /// The sections in their order; nil before they are fetched.
  public var sections: [any NSFetchedResultsSectionInfo]? {
    list.isFetched ? list.controller.sections.map(SectionInfo.init) : nil
  }

  /// The index titles of the sections, without duplicates.
  public var sectionIndexTitles: [String] { list.controller.sectionIndexTitles }

  /// The section with an index title.
  public func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    list.controller.section(forSectionIndexTitle: title) ?? sectionIndex
  }

  /// The object at an index path.
  ///
  /// - Precondition: there is an object at that index path.
  public func object(at indexPath: IndexPath) -> ResultType {
    result(
      list.controller.object(
        at: FetchedResultsIndexPath(section: indexPath.section, item: indexPath.item)))
  }

  /// The index path of an object; nil if it is not in the list.
  public func indexPath(forObject object: ResultType) -> IndexPath? {
    (object as? ManagedObject).flatMap { list.controller.indexPath(forObject: $0) }
      .map { IndexPath(item: $0.item, section: $0.section) }
  }

  /// Deletes the cache with a name, or all caches.
  public static func deleteCache(withName name: String?) {
    FetchedResultsController<ManagedObject>.deleteCache(withName: name)
  }

  private func result(_ object: ManagedObject) -> ResultType {
    guard let result = object as? ResultType else {
      fatalError("The list has objects of \(type(of: object)), not of \(ResultType.self).")
    }
    return result
  }
}

@available(*, unavailable) extension NSFetchedResultsController: Sendable {}

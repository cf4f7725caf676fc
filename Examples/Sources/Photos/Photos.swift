import ManagedObjects

/// An album that is filled from a service, shown by photographer, counted and tidied up.
@main
struct Photos {
  /// The responses of a service: the second page repeats a photo of the first.
  static let pages = [
    [
      ["id": "1", "title": "Moonrise", "owner": "Ansel", "views": "40"],
      ["id": "2", "title": "Dunes", "owner": "Ansel", "views": "12"],
      ["id": "3", "title": "Harbour", "owner": "Berenice", "views": "7"],
    ],
    [
      ["id": "3", "title": "Harbour", "owner": "Berenice", "views": "8"],
      ["id": "4", "title": "Bridge", "owner": "Berenice", "views": "90"],
    ],
  ]

  @MainActor
  static func main() throws {
    let container = try PersistentContainer(name: "Photos", model: .photos, storeURL: nil)
    let context = container.viewContext

    var request = Photo.fetchRequest()
    request.sortDescriptors = [.init(key: "photographer.name"), .init(key: "title")]
    let album = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context,
      sectionNameKeyPath: "photographer.name")
    try album.performFetch()
    album.onChange = { print("  steps of the list: \($0.count)") }

    print("Filling")
    for page in pages {
      for info in page { try Photo.photo(with: info, in: context) }
      try context.save()
    }
    show(album)

    print("Deleting Ansel's photos, one by one")
    for photo in try Photographer.named("Ansel", in: context).photos { context.delete(photo) }
    try context.save()
    print("  photographers: \(try context.count(for: Photographer.fetchRequest()))")
    show(album)

    try batches(in: context)
    show(album)
    try statistics(in: context)
  }

  @MainActor
  static func show(_ album: FetchedResultsController<Photo>) {
    for section in album.sections {
      let titles = section.objects.map { "\($0.title)\($0.isFavourite ? " *" : "")" }
      print("  \(section.name): " + titles.joined(separator: ", "))
    }
  }

  /// Runs requests directly in the store, and merges their changes into the context.
  static func batches(in context: ManagedObjectContext) throws {
    print("In batches")
    let insert = BatchInsertRequest(
      entityName: "Photo",
      objects: (5...9).map { ["unique": .string("\($0)"), "title": .string("Untitled \($0)")] })
    let inserted = try context.execute(insert)
    print("  inserted \(inserted.inserted.count)")

    var update = BatchUpdateRequest(entityName: "Photo")
    update.predicate = \Photo.views > 50
    update.propertiesToUpdate = ["isFavourite": .boolean(true)]
    let updated = try context.execute(update)
    print("  updated \(updated.updated.count)")
    try context.mergeChanges(from: updated)

    var untitled = Photo.fetchRequest()
    untitled.predicate = try .init(format: "title BEGINSWITH 'Untitled'")
    let deleted = try context.execute(BatchDeleteRequest(fetchRequest: untitled))
    print("  deleted \(deleted.deleted.count)")
    try context.mergeChanges(from: deleted)
  }

  /// Fetches values instead of objects, grouped by photographer.
  static func statistics(in context: ManagedObjectContext) throws {
    print("Views")
    var request = Photo.fetchRequest()
    request.propertiesToFetch = [
      "photographer.name",
      ExpressionDescription(name: "photos", .count, of: .keyPath("unique")),
      ExpressionDescription(name: "views", .sum, of: .keyPath("views")),
    ]
    request.propertiesToGroupBy = ["photographer.name"]
    for row in try context.fetchDictionaries(request) {
      guard case .string(let name) = row["photographer.name"],
        case .integer(let photos) = row["photos"], case .integer(let views) = row["views"]
      else { continue }
      print("  \(name): \(photos) photos, seen \(views) times")
    }
  }
}

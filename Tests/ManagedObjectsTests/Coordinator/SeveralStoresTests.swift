import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Several stores behind one coordinator: parts of a model, or the same entities twice.
@Suite struct SeveralStoresTests {
  /// A coordinator with a catalogue and notes, each a store of its own.
  private struct Library {
    let folder: StoreFolder
    let coordinator: PersistentStoreCoordinator
    let catalogue: PersistentStore
    let notes: PersistentStore
    let context: ManagedObjectContext

    init(_ type: PersistentStore.StoreType, configured: Bool = true) throws {
      folder = try StoreFolder()
      coordinator = PersistentStoreCoordinator(managedObjectModel: Shelf.model)
      catalogue = try coordinator.addPersistentStore(
        type: type, configurationName: configured ? "Catalogue" : nil,
        at: type.place(folder.url.appending(path: "Catalogue.sqlite")))
      notes = try coordinator.addPersistentStore(
        type: type, configurationName: configured ? "Notes" : nil,
        at: type.place(folder.url.appending(path: "Notes.sqlite")))
      context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    }

    func book(_ title: String) -> Book {
      let book = Book(context: context)
      book.title = title
      return book
    }

    func titles(_ change: (inout FetchRequest<Book>) -> Void = { _ in }) throws -> [String?] {
      var request = FetchRequest<Book>()
      request.sortDescriptors = [.init(key: "title")]
      change(&request)
      let other = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      return try other.fetch(request).map(\.title)
    }
  }

  /// As an app may open a second store later, when its contexts are in use.
  @Test(arguments: [true, false])
  func `a context that is in use makes objects of a store that was added since`(
    isNamed: Bool
  ) throws {
    let folder = try StoreFolder()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Shelf.model)
    func add(_ configuration: String) throws {
      _ = try coordinator.addPersistentStore(
        type: .sqlite, configurationName: configuration,
        at: folder.url.appending(path: configuration + ".sqlite"))
    }
    try add("Catalogue")
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    Book(context: context).title = "Emma"
    try context.save()
    try add("Notes")
    let note =
      isNamed
      ? EntityDescription.insertNewObject(forEntityName: "Note", into: context)
      : Note(context: context)
    note.setValue("read it", forKey: "text")
    try context.save()
    #expect(try context.count(for: FetchRequest<Note>(entityName: "Note")) == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `each configuration's objects go to its store, in one save`(
    type: PersistentStore.StoreType
  ) throws {
    let library = try Library(type)
    let book = library.book("Emma")
    let author = Author(context: library.context)
    book.author = author
    let note = Note(context: library.context)
    note.text = "read again"
    try library.context.save()
    #expect(book.objectID.description.contains(library.catalogue.identifier))
    #expect(note.objectID.description.contains(library.notes.identifier))
    let other = ManagedObjectContext(persistentStoreCoordinator: library.coordinator)
    #expect(try other.fetch(FetchRequest<Note>()).map(\.text) == ["read again"])
    #expect(try other.fetch(FetchRequest<Book>()).map { $0.author != nil } == [true])
    for id in [book.objectID, note.objectID] {
      let found = library.coordinator.managedObjectID(
        forURIRepresentation: id.uriRepresentation())
      #expect(found == id)
      #expect(try other.existingObject(with: id).objectID == id)
    }
    book.title = "Persuasion"
    library.context.delete(note)
    try library.context.save()
    #expect(try library.titles() == ["Persuasion"])
  }

  @Test func `a container's descriptions name the configurations of its stores`() throws {
    let folder = try StoreFolder()
    let descriptions = ["Catalogue", "Notes"].map { name in
      var description = PersistentStoreDescription(url: folder.url.appending(path: name))
      description.configuration = name
      return description
    }
    let container = try PersistentContainer(
      name: "Shelf", model: Shelf.model, persistentStoreDescriptions: descriptions)
    let context = container.newBackgroundContext()
    _ = Book(context: context)
    _ = Note(context: context)
    try context.save()
    for (name, tables) in [("Catalogue", ["ZAUTHOR", "ZBOOK"]), ("Notes", ["ZNOTE"])] {
      let file = try SQLiteFile(folder.url.appending(path: name))
      let found = try file.column(
        "SELECT name FROM sqlite_schema WHERE name IN ('ZAUTHOR', 'ZBOOK', 'ZNOTE') ORDER BY name")
      #expect(found == tables)
      #expect(try file.column("SELECT count(*) FROM \(tables.last ?? "")") == ["1"])
    }
  }

  @Test func `a file holds its configuration's tables, and opens with it alone`() throws {
    let library = try Library(.sqlite)
    _ = library.book("Emma")
    try library.context.save()
    let file = try SQLiteFile(library.folder.url.appending(path: "Catalogue.sqlite"))
    #expect(
      try file.column("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") == ["Author", "Book"])
    let alone = PersistentStoreCoordinator(managedObjectModel: Shelf.model)
    #expect(throws: PersistentStoreError.self) {
      try alone.addPersistentStore(
        type: .sqlite, at: library.folder.url.appending(path: "Catalogue.sqlite"))
    }
    try alone.addPersistentStore(
      type: .sqlite, configurationName: "Catalogue",
      at: library.folder.url.appending(path: "Catalogue.sqlite"))
    let context = ManagedObjectContext(persistentStoreCoordinator: alone)
    #expect(try context.fetch(FetchRequest<Book>()).map(\.title) == ["Emma"])
  }

  @Test(arguments: Stack.allTypes)
  func `an entity of several stores is fetched from all of them, in one order`(
    type: PersistentStore.StoreType
  ) throws {
    let library = try Library(type, configured: false)
    for (number, title) in ["D", "A", "C", "F", "B", "E"].enumerated() {
      let book = library.book(title)
      if number % 2 == 1 { library.context.assign(book, to: library.notes) }
    }
    try library.context.save()
    #expect(try library.titles() == ["A", "B", "C", "D", "E", "F"])
    #expect(
      try library.titles { $0.sortDescriptors = [.init(key: "title", ascending: false)] }
        == ["F", "E", "D", "C", "B", "A"])
    #expect(
      try library.titles {
        $0.fetchLimit = 3
        $0.fetchOffset = 2
      } == ["C", "D", "E"])
    #expect(
      try library.titles { $0.predicate = .comparison("title", .lessThan, .string("C")) }
        == ["A", "B"])
    var request = FetchRequest<Book>()
    #expect(try library.context.count(for: request) == 6)
    request.fetchOffset = 2
    request.fetchLimit = 10
    #expect(try library.context.count(for: request) == 4)
    // Unsaved changes are included.
    library.book("AA").title = "AA"
    request = FetchRequest<Book>()
    request.sortDescriptors = [.init(key: "title")]
    request.fetchLimit = 2
    #expect(try library.context.fetch(request).map(\.title) == ["A", "AA"])
  }

  @Test(arguments: Stack.allTypes)
  func `keys of two stores do not collide`(type: PersistentStore.StoreType) throws {
    let library = try Library(type, configured: false)
    let one = library.book("one")
    let two = library.book("two")
    library.context.assign(two, to: library.notes)
    try library.context.save()
    #expect(one.primaryKey == type.firstKey && two.primaryKey == type.firstKey)
    #expect(one.objectID != two.objectID)
    #expect(library.context.object(with: one.objectID) === one)
    #expect(library.context.object(with: two.objectID) === two)
    try library.context.refresh(two, mergeChanges: false)
    #expect(two.title == "two")
  }

  @Test(arguments: Stack.allTypes)
  func `where one store refuses a save, none has changed`(type: PersistentStore.StoreType) throws {
    let library = try Library(type)
    let book = library.book("Emma")
    let note = Note(context: library.context)
    try library.context.save()
    let rival = ManagedObjectContext(persistentStoreCoordinator: library.coordinator)
    try #require(rival.existingObject(with: note.objectID) as? Note).text = "mine"
    try rival.save()
    book.title = "Persuasion"
    note.text = "yours"
    #expect(throws: ConflictError.self) { try library.context.save() }
    #expect(try library.titles() == ["Emma"])
    try library.context.refresh(note, mergeChanges: true)
    try library.context.save()
    #expect(try library.titles() == ["Persuasion"])
  }

  @Test func `new objects skip a read-only store`() throws {
    let folder = try StoreFolder()
    let url = folder.url.appending(path: "Old.sqlite")
    do {
      let maker = PersistentStoreCoordinator(managedObjectModel: Shelf.model)
      try maker.addPersistentStore(type: .sqlite, at: url)
      let context = ManagedObjectContext(persistentStoreCoordinator: maker)
      Book(context: context).title = "old"
      try context.save()
    }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Shelf.model)
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let writable = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let book = Book(context: context)
    book.title = "new"
    try context.save()
    #expect(book.objectID.description.contains(writable.identifier))
    #expect(Set(try context.fetch(FetchRequest<Book>()).map(\.title)) == ["old", "new"])
  }

  @Test(arguments: Stack.allTypes)
  func `a store added later is fetched from too`(type: PersistentStore.StoreType) throws {
    let library = try Library(type)
    _ = library.book("Emma")
    try library.context.save()
    let later = try library.coordinator.addPersistentStore(
      type: .inMemory, configurationName: "Catalogue", at: nil)
    let book = library.book("Persuasion")
    library.context.assign(book, to: later)
    try library.context.save()
    #expect(try library.titles() == ["Emma", "Persuasion"])
    #expect(try library.context.fetch(FetchRequest<Book>()).count == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `a child works with several stores too`(type: PersistentStore.StoreType) throws {
    let library = try Library(type, configured: false)
    let child = ManagedObjectContext(parent: library.context)
    let book = Book(context: child)
    book.title = "child's"
    child.assign(book, to: library.notes)
    try child.save()
    try library.context.save()
    #expect(try library.titles() == ["child's"])
    #expect(book.objectID.description.contains(library.notes.identifier))
  }

  @Test(arguments: Stack.allTypes)
  func `a store of a configuration with a part of a family is compatible with it`(
    type: PersistentStore.StoreType
  ) throws {
    let folder = try StoreFolder()
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(name: "Item", properties: [.value("name", .string)]),
        EntityDescription(
          name: "SubItem", superentityName: "Item", properties: [.value("more", .string)]),
        EntityDescription(name: "Other", properties: [.value("name", .string)]),
      ], configurations: ["Part": ["SubItem"]])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      type: type, configurationName: "Part", at: type.place(folder.store))
    let metadata = try coordinator.metadata(for: store)
    #expect(model.isCompatible(withStoreMetadata: metadata, configurationName: "Part"))
    #expect(!model.isCompatible(withStoreMetadata: metadata))
  }

  @Test func `a configuration with a relationship leading out of it is refused`() throws {
    let model = ManagedObjectModel(
      entities: [Kennel.animal, Kennel.cat, Kennel.collar, Kennel.person],
      configurations: ["Animals": ["Cat"]])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let error = #expect(throws: PersistentStoreError.self) {
      try coordinator.addPersistentStore(
        type: .inMemory, configurationName: "Animals", at: nil)
    }
    #expect(
      error?.description
        == "Animal.owner refers to an entity outside the configuration Animals, and so in another store."
    )
  }

  // MARK: Mistakes

  @Test func `a relationship between two stores`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let library = try Library(.inMemory, configured: false)
      let book = library.book("Emma")
      let author = Author(context: library.context)
      library.context.assign(author, to: library.notes)
      book.author = author
    }
    #expect(said("Book.author cannot refer to an object in another store", result))
  }

  @Test func `assigning an object while it is being saved`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let library = try Library(.inMemory, configured: false)
      let book = library.book("Emma")
      try library.context.save()
      library.context.assign(book, to: library.notes)
    }
    #expect(said("is already in a store", result))
  }
}

/// Books with authors in one configuration, notes in another.
private enum Shelf {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Book",
        properties: [
          .attribute(.init(name: "title", type: .string, isOptional: true)),
          .relationship(
            .init(
              name: "author", destinationEntityName: "Author", inverseName: "books",
              isOptional: true)),
        ]),
      EntityDescription(
        name: "Author",
        properties: [
          .relationship(
            .init(
              name: "books", destinationEntityName: "Book", inverseName: "author",
              isOptional: true, maxCount: 0))
        ]),
      EntityDescription(
        name: "Note",
        properties: [.attribute(.init(name: "text", type: .string, isOptional: true))]),
    ],
    configurations: ["Catalogue": ["Book", "Author"], "Notes": ["Note"]],
    classes: ["Book": Book.self, "Author": Author.self, "Note": Note.self])
}

private final class Book: ManagedObject {
  var title: String? {
    get { optionalValue(at: PropertySlot(-1, "title")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "title")) }
  }
  var author: Author? {
    get { toOne(at: PropertySlot(-1, "author")) }
    set { setToOne(newValue, at: PropertySlot(-1, "author")) }
  }
}

private final class Author: ManagedObject {}

private final class Note: ManagedObject {
  var text: String? {
    get { optionalValue(at: PropertySlot(-1, "text")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "text")) }
  }
}

// What the examples of ManagedObjects assume: a context with a dog and a walk in it, and parts of
// a program around it.
@testable import DataModel
import DogWalkModel
import Foundation
@testable import ManagedObjects

var background: BackgroundContext { fatalError() }
var container: PersistentContainer { fatalError() }
var context: ManagedObjectContext { fatalError() }
var coordinator: PersistentStoreCoordinator { fatalError() }
var dog: Dog { fatalError() }
var fido: Dog { fatalError() }
var mapping: MappingModel { fatalError() }
var model: ManagedObjectModel { fatalError() }
var new: ManagedObjectModel { fatalError() }
var newURL: URL { fatalError() }
var old: ManagedObjectModel { fatalError() }
let between = ManagedObjectModel(entities: [])
var store: PersistentStore { fatalError() }
var url: URL { fatalError() }
var counts: [ManagedObjectID: Int64] { [:] }
var values: [String: [UInt8]?] { [:] }
var walk: Walk { fatalError() }

var backup: URL { fatalError() }
var bytes: [UInt8] { [] }
@MainActor let document = ManagedDocument(fileURL: url, managedObjectModel: model)
func log(_ text: String) {}
var description: PersistentStoreDescription { fatalError() }
var changes: ChangedObjectIDs { fatalError() }
var connection: Connection { fatalError() }
var controller: FetchedResultsController<Walk> { fatalError() }
var id: ManagedObjectID { fatalError() }
var ids: [ManagedObjectID] { fatalError() }
var manager: ContextUndoManager { fatalError() }
var other: ManagedObjectContext { fatalError() }
var request: FetchRequest<Walk> {
  get { fatalError() }
  set {}
}
var row: PackedRow { fatalError() }
var rows: StoredRows { fatalError() }
var slot: Int { fatalError() }
var token: PersistentHistoryToken { fatalError() }
var transaction: PersistentHistoryTransaction { fatalError() }

/// A program's own stores, and what they read.
final class FolderStore: IncrementalStore, @unchecked Sendable {}
var folderStore: FolderStore { fatalError() }
var notesStore: AtomicStore { fatalError() }
var dogEntity: EntityDescription { fatalError() }
var table: AtomicStoreTable {
  get { fatalError() }
  set {}
}

enum Disk {
  static func paths() throws -> [String] { [] }
  static func values(of path: String) throws -> [String: PropertyValue] { [:] }
  static func nodes(
    of entity: EntityDescription, in store: IncrementalStore
  ) throws -> [IncrementalStoreNode] { [] }
  static func remove(_ reference: ReferenceObject) throws {}
}

struct NotesFile {
  init(_ url: URL?) {}
  func metadata() throws -> [String: PropertyList] { [:] }
  func nodes(of store: AtomicStore) throws -> [AtomicStoreCacheNode] { [] }
  func write(_ metadata: [String: PropertyList], _ nodes: [AtomicStoreCacheNode]) throws {}
}

struct Colour: Codable {}

final class KennelPolicy: EntityMigrationPolicy {}

final class Note: ManagedObject {}

/// The class of members with `override`: a program's own object.
class Overriding: ManagedObject {
  var created: Date {
    get { fatalError() }
    set {}
  }
  var drafts: Set<ManagedObjectID> {
    get { fatalError() }
    set {}
  }
  var end: Date { fatalError() }
  var fullName: String { fatalError() }
  var isPaid: Bool { fatalError() }
  var isSealed: Bool { fatalError() }
  var journal: Journal { fatalError() }
  var length: Int32? {
    get { fatalError() }
    set {}
  }
  var name: String { fatalError() }
  var nickname: String? {
    get { fatalError() }
    set {}
  }
  var outline: [Double]? {
    get { fatalError() }
    set {}
  }
  var photographer: Photographer? {
    get { fatalError() }
    set {}
  }
  var start: Date { fatalError() }
  var text: String? { fatalError() }
  var thumbnail: Data? {
    get { fatalError() }
    set {}
  }
}

struct Journal { func note(_ name: String, of id: ManagedObjectID) {} }

final class Photographer: ManagedObject { var photoCount = 0 }

extension Walk {
  var month: String { fatalError() }
}

// What only one file's examples assume.

extension BatchDeleteRequestExamples {
  static var lastYear: Date { fatalError() }
}

extension BatchInsertRequestExamples {
  static var lines: [(date: Date, text: String)] { fatalError() }
}

extension ChangedObjectIDsExamples {
  static var importer: BackgroundContext { fatalError() }
  static func reloadEverything() {}
}

extension ObjectChangesExamples {
  static var outbox: [ChangedObjectIDs] {
    get { fatalError() }
    set {}
  }
}

extension PersistentHistoryErrorExamples {
  static func reloadEverything() {}
}

extension PersistentHistoryChangeRequestExamples {
  static var lastWeek: Date { fatalError() }
  static var midnight: Date { fatalError() }
}

extension ConflictCheckExamples {
  static var tariff: ManagedObject { fatalError() }
}

extension ConstraintConflictExamples {
  static var conflict: ConstraintConflict { fatalError() }
}

extension ContextObservationExamples {
  struct List { func reload(_ objects: some Collection<ManagedObject>) {} }
  static var list: List { fatalError() }
}

extension FetchCursorExamples {
  static var total: Double {
    get { fatalError() }
    set {}
  }
}

extension FetchExpressionExamples {
  static var expression: FetchExpression { fatalError() }
}

extension FetchPredicateExamples {
  static var predicate: FetchPredicate { fatalError() }
}

extension FetchPredicateKeyPathsExamples {
  static var start: Date { fatalError() }
}

extension FetchPredicateParsingExamples {
  static var monday: Date { fatalError() }
  static var name: String { fatalError() }
}

extension FetchedResultsControllerDelegateExamples {
  static func reload() {}
}

extension FetchedResultsControllerExamples {
  struct List { func apply(_ change: FetchedResultsChange) {} }
  struct Screen { func apply(_ changes: [FetchedResultsChange]) async {} }
  static var list: List { fatalError() }
  static var screen: Screen { fatalError() }
}

extension ManagedObjectContextExamples {
  static var idOfDeleted: ManagedObjectID { fatalError() }
}

extension ManagedObjectContextFaultingExamples {
  static var dogID: ManagedObjectID { fatalError() }
  static func redraw(_ object: ManagedObject) {}
}

extension ManagedObjectContextPermanentIDsExamples {
  static var index: [ManagedObjectID: Walk] {
    get { fatalError() }
    set {}
  }
}

extension ManagedObjectContextSavingExamples {
  static func show(_ failures: [ValidationError.Failure]) {}
}

extension ManagedObjectContextStoresExamples {
  static var privateStore: PersistentStore { fatalError() }
}

extension ManagedObjectContextUndoExamples {
  static var dogs: [Dog] {
    get { fatalError() }
    set {}
  }
}

extension ManagedObjectContextWritingExamples {
  static var walks: [Walk] { fatalError() }
  static func copy(of walk: Walk) -> Walk { fatalError() }
}

extension ManagedObjectExamples {
  static var walks: [Walk] { fatalError() }
}

extension MergeConflictExamples {
  static var conflict: MergeConflict { fatalError() }
}

extension MergePolicyExamples {
  class Overriding: MergePolicy {}
}

extension MutableOrderedSetExamples {
  static var d: Walk { fatalError() }
  static var walks: MutableOrderedSet { fatalError() }
}

extension MutableSetExamples {
  static var note: ManagedObject { fatalError() }
  static var person: ManagedObject { fatalError() }
  static var tag: ManagedObject { fatalError() }
}

extension ObjectIDChangesExamples {
  actor Index { func update(_ changes: ChangedObjectIDs) {} }
  static var index: Index { fatalError() }
}

extension NewFileExamples {
  static var path: String { fatalError() }
}

extension OrderedSetExamples {
  static var walks: OrderedSet<Walk> {
    get { fatalError() }
    set {}
  }
}

extension PersistentContainerBackgroundExamples {
  static var lines: [String] { fatalError() }
}

extension PersistentStoreCoordinatorExamples {
  static var otherURL: URL { fatalError() }
  static var readOnly: PersistentStoreOptions { fatalError() }
  static var uri: URL { fatalError() }
}

extension MappingExpressionReaderExamples {
  static var archive: KeyedArchive { fatalError() }
  static var object: KeyedArchive.Object { fatalError() }
}

extension MappingModelExamples {
  static var mappings: [MappingModel] { fatalError() }
}

extension MigrationManagerExamples {
  struct Cancelled: Error {}
  final class MakerPolicy: EntityMigrationPolicy {}
  static var isCancelled: Bool { false }
  static var manager: MigrationManager { fatalError() }
  static var oldDog: ManagedObject { fatalError() }
}

extension MigrationManagerStoresExamples {
  static var manager: MigrationManager { fatalError() }
}

extension PredicateBinderExamples {
  static var predicate: FetchPredicate { fatalError() }
}

extension StagedMigrationManagerExamples {
  static let version1 = ManagedObjectModel(entities: [])
  static let version2 = ManagedObjectModel(entities: [])
  static let version3 = ManagedObjectModel(entities: [])
}

extension StoreUndoLogExamples {
  static var log: StoreUndoLog { fatalError() }
}

extension ContextUndoManagerExamples {
  final class Editor { func select(_ range: Range<Int>) {} }
  struct Button { var isEnabled = false }
  static var editor: Editor { fatalError() }
  static var old: Range<Int> { fatalError() }
  static var redoButton: Button {
    get { fatalError() }
    set {}
  }
  static var undoButton: Button {
    get { fatalError() }
    set {}
  }
}

extension ValidationErrorExamples {
  static var error: ValidationError { fatalError() }
}

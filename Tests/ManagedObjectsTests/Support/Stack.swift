import CSVStores
import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport

/// A stack for one test: a store of its own in a folder that goes with it, or a store in memory.
final class Stack {
  /// The types of stores that the stack's behaviours are tested on.
  ///
  /// A server's stores are among them where `Scripts/with-postgres` has started one.
  static let allTypes: [PersistentStore.StoreType] =
    [.sqlite, .inMemory] + wholeTypes + (server == nil ? [] : [.postgreSQL])
  /// Those of them that are read and written as a whole, and may be shared.
  static let wholeTypes: [PersistentStore.StoreType] = {
    CSVStore.register()
    return documentTypes + [.csv]
  }()
  /// A text with a character that texts may have in any store except a server's.
  static let nul = server == nil ? "\0" : "\u{1}"
  /// The URL of a database for stores of tests; nil if there is none.
  static let server = TestServer.url
  /// Those of them that are one document.
  static let documentTypes: [PersistentStore.StoreType] = textTypes + [.binary]
  /// Those of them that people can read.
  static let textTypes: [PersistentStore.StoreType] = [.xml, .json]

  let folder: URL
  let url: URL
  let container: PersistentContainer
  let context: ManagedObjectContext
  /// The contexts of `reread(_:)`, which its objects need.
  var rereading: [ManagedObjectContext] = []

  init(
    _ type: PersistentStore.StoreType = .sqlite, model: ManagedObjectModel = .dogWalk
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "stack-\(UUID().uuidString)")
    if type.isFile {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let file = folder.appending(path: "DogWalk.sqlite")
    url = type.place(file) ?? file
    // A process that a test has started knows the type by then, too.
    _ = Self.wholeTypes
    container = try PersistentContainer(
      name: "Test", model: model, storeURL: type.isFile ? url : nil, type: type)
    context = container.newBackgroundContext()
  }

  /// Another context on the same store, as a stack of its own.
  init(sharing other: Stack) {
    folder = other.folder.appending(path: "shared")
    url = other.url
    container = other.container
    context = container.newBackgroundContext()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Another context on the same store.
  func anotherContext() -> ManagedObjectContext { container.newBackgroundContext() }

  /// A second stack on the same file, as another process would have.
  func anotherContainer() throws -> PersistentContainer {
    try PersistentContainer(
      name: "Other", model: container.managedObjectModel, storeURL: url,
      type: container.persistentStore.type)
  }

  /// A dog, saved with walks of so many minutes.
  @discardableResult
  func dog(_ name: String, minutes: [Int] = []) throws -> Dog {
    let dog = try Dog.findOrCreate(named: name, in: context)
    for minutes in minutes { dog.addToWalks(walk(minutes: minutes)) }
    try context.save()
    return dog
  }

  /// A walk without a dog.
  func walk(minutes: Int, in other: ManagedObjectContext? = nil) -> Walk {
    let walk = Walk(context: other ?? context)
    walk.date = Date(timeIntervalSinceReferenceDate: Double(minutes) * 60)
    walk.duration = Double(minutes) * 60
    return walk
  }
}

extension Dog {
  /// The lengths of the walks, in their order.
  var minutes: [Int] { walks.map { Int($0.duration! / 60) } }
}

import DogWalkModel
import Foundation
import ManagedObjects

/// A folder for the store files of one test, which is removed with its last reference.
///
/// Unlike `Stack` it holds no store open, so that files can be examined, damaged and reopened.
/// Used by several threads: its variables are set before they start.
final class StoreFolder: @unchecked Sendable {
  let url: URL
  /// Where the store is, or will be.
  let store: URL

  /// Whether the folder outlives this object, since another process made it.
  var isKept = false

  /// Makes a folder with a name of its own.
  convenience init(named name: String = "DogWalk.sqlite") throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "store-\(UUID().uuidString)")
    try self.init(at: folder, named: name)
  }

  /// Makes a folder at a path, or uses the existing one.
  init(at url: URL, named name: String = "DogWalk.sqlite") throws {
    self.url = url
    store = url.appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { if !isKept { try? FileManager.default.removeItem(at: url) } }

  /// Opens the store, or makes it.
  ///
  /// Unless a test says otherwise it waits long for others: where all tests run at once, whoever
  /// has the store may not be done for many seconds.
  func open(
    _ model: ManagedObjectModel = .dogWalk,
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    var options = PersistentStoreOptions()
    options.busyTimeout = 300
    change(&options)
    return try PersistentContainer(name: "Test", model: model, storeURL: store, options: options)
  }

  /// Makes a dog with walks of so many minutes, and closes the store again.
  func save(_ name: String, minutes: [Int] = []) throws {
    let context = try open().newBackgroundContext()
    let dog = try Dog.findOrCreate(named: name, in: context)
    for minutes in minutes { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
  }

  /// Every dog's walks in order, read afresh.
  func contents() throws -> [String: [Int]] {
    let context = try open().newBackgroundContext()
    return Dictionary(
      uniqueKeysWithValues: try context.fetch(Dog.fetchRequest()).map { ($0.name, $0.minutes) })
  }

  /// The bytes of every file by its name, except for SQLite's index of the log, which any read
  /// changes.
  ///
  /// For closed stores only: closing a file gives up the locks that SQLite holds on it.
  func bytes() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path)
    where !name.hasSuffix("-shm") {
      // A log without frames is the same as none.
      let data = try Data(contentsOf: url.appending(path: name))
      if !(name.hasSuffix("-wal") && data.isEmpty) { found[name] = data }
    }
    return found
  }

  /// The names of all files in it.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Makes the store as a program leaves it that is killed after saving another walk: its log is
  /// there, and maybe the index of that.
  func leaveLog(_ name: String, minutes: [Int], withIndex: Bool = false) throws {
    let other = try StoreFolder(named: store.lastPathComponent)
    if FileManager.default.fileExists(atPath: store.path) {
      try FileManager.default.moveItem(at: store, to: other.store)
    } else {
      _ = try other.open()
    }
    let container = try other.open()
    let context = container.newBackgroundContext()
    let dog = try Dog.findOrCreate(named: name, in: context)
    for minutes in minutes { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
    for suffix in ["", "-wal"] + (withIndex ? ["-shm"] : []) {
      try FileManager.default.copyItem(
        atPath: other.store.path + suffix, toPath: store.path + suffix)
    }
  }
}

/// Folders that a test and its child processes know by the test's process number: each test has one
/// of its own, since they run at the same time.
enum SharedFolder {
  static func many(of process: Int32) -> URL { folder("many", process) }
  static func killed(of process: Int32) -> URL { folder("killed", process) }
  static func migrated(of process: Int32) -> URL { folder("migrated", process) }
  static func filled(of process: Int32) -> URL { folder("filled", process) }
  static func drafted(of process: Int32) -> URL { folder("drafted", process) }
  static func replaced(of process: Int32) -> URL { folder("replaced", process) }
  static func documents(of process: Int32) -> URL { folder("documents", process) }
  static func migratedDocuments(of process: Int32) -> URL { folder("migrated-documents", process) }
  static func reverted(of process: Int32) -> URL { folder("reverted", process) }

  private static func folder(_ name: String, _ process: Int32) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "store-\(name)-\(process)")
  }
}

extension Walk {
  /// A walk so many minutes long, that many minutes after the reference date.
  convenience init(minutes: Int, in context: ManagedObjectContext) {
    self.init(context: context)
    date = Date(timeIntervalSinceReferenceDate: Double(minutes) * 60)
    duration = Double(minutes) * 60
  }
}

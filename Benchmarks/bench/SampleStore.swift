import CBaseline
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// A store to measure, in its own temporary folder.
struct SampleStore {
  private let folder: ScratchFolder
  private let url: URL
  var path: String { url.path }

  private init(in folder: ScratchFolder) {
    self.folder = folder
    url = folder.url.appending(path: "DogWalk.sqlite")
  }

  /// Creates a store with dogs, and walks that alternate between them.
  init(dogs: Int, walks: Int) throws {
    self.init(in: try ScratchFolder())
    try Self.make(at: path, dogs: dogs, walks: walks)
  }

  /// Creates such a store in another process, so that this one stays small; only a path for 0 dogs.
  static func madeElsewhere(dogs: Int, walks: Int) throws -> SampleStore {
    let store = SampleStore(in: try ScratchFolder())
    if dogs > 0 {
      try ChildProcess.run(
        CommandLine.arguments[0], ["seed", store.path, String(dogs), String(walks)])
    }
    return store
  }

  /// Returns a copy of the store.
  ///
  /// The store must not be open.
  func copy() throws -> SampleStore {
    let copy = SampleStore(in: try ScratchFolder())
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    return copy
  }

  /// Opens the store on the C side.
  func makeBaseline() throws -> Baseline { try Baseline(path: path) }

  /// Returns the number of its walks, counted without the library.
  func walkCount() throws -> Int { Int(try makeBaseline().readWalks().rows) }

  /// Returns a new context with a coordinator of its own.
  func makeContext() throws -> ManagedObjectContext { try Self.context(at: path) }

  /// Returns a context for the store at a path.
  static func context(at path: String) throws -> ManagedObjectContext {
    try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: URL(filePath: path))
      .newBackgroundContext()
  }

  /// Creates a store at a path, where no file may exist.
  static func make(at path: String, dogs: Int, walks: Int) throws {
    let container = try PersistentContainer(
      name: "DogWalk", model: .dogWalk, storeURL: URL(filePath: path))
    let context = container.newBackgroundContext()
    let owners = (0..<dogs).map { number in
      let dog = Dog(context: context)
      dog.name = number == 0 ? "Fido" : "Dog \(number + 1)"
      dog.nameKey = dog.name.lowercased()
      return dog
    }
    // Saved first, so that the dogs have the primary keys 1 to `dogs`.
    try context.save()
    for number in 0..<walks {
      let walk = Walk(context: context)
      SampleWalk.fill(walk, number: number)
      owners[number % dogs].addToWalks(walk)
    }
    try context.save()
  }
}

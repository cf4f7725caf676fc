import CBaseline
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// A store to measure on, in a scratch folder of its own.
struct SampleStore {
  private let folder: ScratchFolder
  private let url: URL
  var path: String { url.path }

  private init(in folder: ScratchFolder) {
    self.folder = folder
    url = folder.url.appending(path: "DogWalk.sqlite")
  }

  /// Makes a store with dogs, and walks given to them in turn.
  init(dogs: Int, walks: Int) throws {
    self.init(in: try ScratchFolder())
    try Self.make(at: path, dogs: dogs, walks: walks)
  }

  /// Makes a store likewise in another process, so that this one stays small; an empty place for 0
  /// dogs.
  static func madeElsewhere(dogs: Int, walks: Int) throws -> SampleStore {
    let store = SampleStore(in: try ScratchFolder())
    if dogs > 0 {
      try ChildProcess.run(
        CommandLine.arguments[0], ["seed", store.path, String(dogs), String(walks)])
    }
    return store
  }

  /// Another store that holds the same.
  ///
  /// Wants nobody to have this one open.
  func copy() throws -> SampleStore {
    let copy = SampleStore(in: try ScratchFolder())
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    return copy
  }

  /// The C side on the store.
  func makeBaseline() throws -> Baseline { try Baseline(path: path) }

  /// How many walks it holds, counted without the library.
  func walkCount() throws -> Int { Int(try makeBaseline().readWalks().rows) }

  /// A context of its own on the store.
  func makeContext() throws -> ManagedObjectContext { try Self.context(at: path) }

  /// A context on the store at a path.
  static func context(at path: String) throws -> ManagedObjectContext {
    try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: URL(filePath: path))
      .newBackgroundContext()
  }

  /// Makes a store at a path, which has to be free.
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

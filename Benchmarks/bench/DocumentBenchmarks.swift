import CSVStores
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Stores that are read and written as a whole, compared with the fastest other reader and writer.
///
/// These are in `Benchmarks/documents.py`.
struct DocumentBenchmarks {
  private static let walks = 100_000
  private static let rounds = 3
  private let script: String
  private let folder: ScratchFolder

  /// The store types.
  private let types: [PersistentStore.StoreType]

  /// - Parameter type: the type to measure; nil for all.
  init(script: String, type: String? = nil) throws {
    self.script = script
    folder = try ScratchFolder()
    CSVStore.register()
    types = type.map { [.init($0)] } ?? [.xml, .json, .binary, .csv]
  }

  private func place(_ type: PersistentStore.StoreType) -> URL {
    folder.url.appending(path: "walks.\(type)")
  }

  func run() throws -> [Result] {
    // Memory first, and stores created in other processes: see ChildProcess.peakMemory.
    for type in types { try Self.makeElsewhere(type, at: place(type), walks: Self.walks) }
    let peaks = try types.map { try memory(of: $0) }
    return peaks + (try types.flatMap { try times(of: $0) })
  }

  // MARK: Time

  private func times(of type: PersistentStore.StoreType) throws -> [Result] {
    let url = place(type)
    var (loading, saving, reading, writing): ([Double], [Double], [Double], [Double]) =
      ([], [], [], [])
    for round in 0...Self.rounds {
      let (load, save) = try Self.loadAndSave(type, at: url)
      let (read, write) = try yardstick(type, url)
      // The first round is discarded.
      guard round > 0 else { continue }
      loading.append(load)
      saving.append(save)
      reading.append(read)
      writing.append(write)
    }
    return [
      Self.result("\(type): load 100,000 walks / read", loading, reading),
      Self.result("\(type): save one change of them / write", saving, writing),
    ]
  }

  private static func result(_ name: String, _ ours: [Double], _ yardstick: [Double]) -> Result {
    let ratios = zip(ours, yardstick).map { $0 / $1 }
    return Result(
      name: name, ours: ours.median.fixed(2) + " ms",
      yardstick: yardstick.median.fixed(2) + " ms", value: ours.median / yardstick.median,
      range: (ratios.min() ?? 0)...(ratios.max() ?? 0), bar: 3)
  }

  /// Adds a store, and saves it with a change of one walk.
  private static func loadAndSave(
    _ type: PersistentStore.StoreType, at url: URL
  ) throws -> (load: Double, save: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let context = try context(type, at: url)
    let load = (clock.now - start).milliseconds
    var request = Walk.fetchRequest()
    request.fetchLimit = 1
    guard let walk = try context.fetch(request).first else { return (load, 0) }
    walk.distance = (walk.distance ?? 0) + 1
    let middle = clock.now
    try context.save()
    return (load, (clock.now - middle).milliseconds)
  }

  private func yardstick(
    _ type: PersistentStore.StoreType, _ url: URL
  ) throws -> (read: Double, write: Double) {
    guard let python = ChildProcess.path(of: "python3") else {
      throw ChildProcess.Failure(description: "python3 is missing")
    }
    let result = folder.url.appending(path: "result")
    let out = folder.url.appending(path: "copy")
    try ChildProcess.run(
      python, [script, type.rawValue, url.path, out.path, "1", result.path],
      environment: ["PATH=/usr/bin:/bin"])
    let lines = try String(contentsOf: result, encoding: .utf8).split(separator: "\n")
    guard lines.count == 2, let read = Double(lines[0]), let write = Double(lines[1]) else {
      throw ChildProcess.Failure(description: "\(script) printed \(lines)")
    }
    return (read, write)
  }

  // MARK: Memory

  private func memory(of type: PersistentStore.StoreType) throws -> Result {
    let url = place(type)
    let empty = folder.url.appending(path: "empty.\(type)")
    try Self.makeElsewhere(type, at: empty, walks: 0)
    func peak(_ url: URL) throws -> Double {
      let child = try ChildProcess.run(
        CommandLine.arguments[0], ["load", type.rawValue, url.path])
      return Double(child.peakMemory)
    }
    let more = try peak(url) - peak(empty) - Double(Self.size(of: url))
    let each = more / Double(Self.walks)
    return Result(
      name: "\(type): bytes a walk at the peak of loading, beyond the file",
      ours: each.fixed(0), value: each, bar: 400)
  }

  private static func size(of url: URL) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let files = names.isEmpty ? [url] : names.map { url.appending(path: $0) }
    return files.reduce(0) { sum, file in
      var info = stat()
      return sum + (stat(file.path, &info) == 0 ? Int(info.st_size) : 0)
    }
  }

  // MARK: Stores

  /// Adds a store of a type and does nothing else, for a separate process.
  static func load(_ type: String, at path: String) throws {
    CSVStore.register()
    _ = try context(.init(type), at: URL(filePath: path))
  }

  private static func context(
    _ type: PersistentStore.StoreType, at url: URL
  ) throws -> ManagedObjectContext {
    try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: url, type: type)
      .newBackgroundContext()
  }

  private static func makeElsewhere(
    _ type: PersistentStore.StoreType, at url: URL, walks: Int
  ) throws {
    try ChildProcess.run(
      CommandLine.arguments[0], ["make-document", type.rawValue, url.path, String(walks)])
  }

  /// Creates a store of a type, for a separate process.
  static func make(_ type: String, at path: String, walks: Int) throws {
    CSVStore.register()
    let context = try context(.init(type), at: URL(filePath: path))
    let dogs = (0..<100).map { number in
      let dog = Dog(context: context)
      dog.name = "Dog \(number + 1)"
      dog.nameKey = dog.name.lowercased()
      return dog
    }
    for number in 0..<walks {
      let walk = Walk(context: context)
      SampleWalk.fill(walk, number: number)
      dogs[number % 100].addToWalks(walk)
    }
    try context.save()
  }
}

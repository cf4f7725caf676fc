/// The benchmarks of this project, compared with the limits ("bars") that it has set itself.
///
///     bench                       the library against C on the same tables, and its fetches
///     bench fetching              its fetches alone
///     bench library               the rest of the library
///     bench concurrency           contexts that read at once, and beside one that saves
///     bench concurrency SECONDS   the same, with so many seconds of eight readers and a writer
///     bench migration             stores that go from one version of their model to the next
///     bench documents SCRIPT      stores that are read whole, beside what SCRIPT reads and writes
///     bench documents SCRIPT TYPE the same of one kind: XML, JSON, Binary, CSV
///     bench load TYPE STORE       adds such a store
///     bench server URL SCRIPT     a store on a PostgreSQL server, against C and the ORM that SCRIPT uses
///     bench cli DOGWALK           whole commands against the sqlite3 shell, and a cursor's memory
///     bench cli DOGWALK STORETOOL MODEL
///                                 the same, and storetool on a store of the DogWalk model
///     bench large DOGWALK FOLDER  a few walks of 10,000,000, in stores that are made in FOLDER
///     bench seed STORE DOGS WALKS makes a store to measure on
///     bench open STORE            opens a store of 25 entities, or makes it
///     bench stream STORE          goes through all walks with a cursor
///
/// Exits with 1 if a bar is missed, with 64 for wrong arguments.
@main
struct Bench {
  static func main() {
    do {
      try run()
    } catch {
      exit(code: 1, "The measurement failed: \(error)")
    }
  }

  private static func run() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case nil:
      let fetching = try FetchBenchmarks().run()
      print(Result.table(fetching))
      let library = try LibraryBenchmarks().run()
      print(Result.table(library))
      let concurrency = try ConcurrencyBenchmarks().run()
      print(Result.table(concurrency))
      let migration = try MigrationBenchmarks().run()
      print(Result.table(migration))
      end(fetching + library + concurrency + migration)
    case "fetching" where words.count == 1:
      try finish(FetchBenchmarks().run())
    case "library" where words.count == 1:
      try finish(LibraryBenchmarks().run())
    case "concurrency" where words.count == 1:
      try finish(ConcurrencyBenchmarks().run())
    case "concurrency" where words.count == 2:
      guard let seconds = Double(words[1]), seconds > 0 else { exitWithUsage() }
      try finish(ConcurrencyBenchmarks(seconds: seconds).run())
    case "migration" where words.count == 1:
      try finish(MigrationBenchmarks().run())
    case "documents" where words.count == 2:
      try finish(DocumentBenchmarks(script: words[1]).run())
    case "documents" where words.count == 3:
      try finish(DocumentBenchmarks(script: words[1], type: words[2]).run())
    case "load" where words.count == 3:
      try DocumentBenchmarks.load(words[1], at: words[2])
    case "make-document" where words.count == 4:
      guard let walks = Int(words[3]) else { exitWithUsage() }
      try DocumentBenchmarks.make(words[1], at: words[2], walks: walks)
    #if PostgreSQL
      case "server" where words.count == 3:
        try finish(ServerBenchmarks(url: words[1], script: words[2]).run())
    #endif
    case "cli" where words.count == 2:
      try finish(CommandBenchmarks(program: words[1]).run())
    case "cli" where words.count == 4:
      let storeTool = StoreToolBenchmarks(program: words[2], model: words[3])
      try finish(CommandBenchmarks(program: words[1], storeTool: storeTool).run())
    case "large" where words.count == 3:
      try finish(LargeStoreBenchmarks(program: words[1], folder: words[2]).run())
    case "open" where words.count == 2:
      try LargeModel.open(words[1])
    case "stream" where words.count == 2:
      _ = try FetchBenchmarks.stream(SampleStore.context(at: words[1]))
    case "seed" where words.count == 4:
      guard let dogs = Int(words[2]), let walks = Int(words[3]), dogs > 0 else { exitWithUsage() }
      try SampleStore.make(at: words[1], dogs: dogs, walks: walks)
    default:
      exitWithUsage()
    }
  }

  /// Prints the results, and exits with 1 if one is over its bar.
  private static func finish(_ results: [Result]) {
    print(Result.table(results))
    end(results)
  }

  private static func end(_ results: [Result]) {
    let missed = results.filter { $0.verdict == .over }
    if !missed.isEmpty {
      exit(code: 1, "Over the threshold: \(missed.map(\.name).joined(separator: "; ")).")
    }
  }

  private static func exitWithUsage() -> Never {
    exit(
      code: 64,
      """
      usage: bench [fetching | library | concurrency [SECONDS] | migration] | bench cli DOGWALK [STORETOOL MODEL] | bench seed STORE DOGS WALKS \
      | bench open STORE | bench stream STORE | bench documents SCRIPT [TYPE] | bench load TYPE STORE \
      | bench make-document TYPE STORE WALKS | bench large DOGWALK FOLDER | bench server URL SCRIPT
      """)
  }
}

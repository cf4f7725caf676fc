#if PostgreSQL
  import CServerBaseline
  import DogWalkModel
  import ManagedObjects
  import SystemLibraries

  /// The library on a PostgreSQL server, compared with C on libpq on the same tables, and with an
  /// ORM.
  ///
  /// The ORM's part is in `Benchmarks/orm.py`.
  struct ServerBenchmarks {
    private let rounds = 5
    private let walks = 100_000
    private let changed = 10_000
    private let dogs = 100
    private let clock = ContinuousClock()
    /// The server's URL for libpq, including any options after `?`.
    let url: String
    /// The script that does the same with an ORM.
    let script: String

    func run() throws -> [Result] {
      let insertion = try insertion()
      let fetch = try fetch()
      let update = try update()
      let deletion = try deletion()
      let ours = [insertion, fetch, update, deletion].map(\.ours.median)
      return [
        insertion.result("insert 100,000 walks for 100 dogs, one save", bar: 2.1),
        fetch.result("fetch 100,000 walks, every attribute read", bar: 1.3),
        update.result("update 10,000 fetched walks, one save", bar: 2),
        deletion.result("delete 10,000 fetched walks, one save", bar: 2),
      ] + (try besideAnORM(ours))
    }

    // MARK: Compared with C

    private func insertion() throws -> Comparison {
      try Comparison(rounds: rounds) {
        let store = try Store(on: url, dogs: dogs, walks: 0)
        let context = try store.makeContext()
        let owners = try context.fetch(Dog.fetchRequest())
        return try clock.measure {
          try Store.insert(walks, for: owners, in: context)
        }
      } yardstick: {
        let store = try Store(on: url, dogs: dogs, walks: 0)
        let baseline = try store.makeBaseline()
        return try clock.measure {
          try baseline.check(
            cserverbaseline_insert_walks(baseline.pointer, Int32(walks), Int32(dogs)))
        }
      }
    }

    private func fetch() throws -> Comparison {
      let store = try Store(on: url, dogs: dogs, walks: walks)
      var sums: (ours: WalkSum, yardstick: WalkSum) = (WalkSum(), WalkSum())
      let comparison = try Comparison(rounds: rounds) {
        let context = try store.makeContext()
        sums.ours = WalkSum()
        var fetched: [Walk] = []
        let duration = try clock.measure {
          fetched = try context.fetch(Walk.fetchRequest())
          for walk in fetched { sums.ours.add(walk) }
        }
        return withExtendedLifetime(fetched) { duration }
      } yardstick: {
        let baseline = try store.makeBaseline()
        var sum = CServerBaselineSum()
        let duration = try clock.measure {
          try baseline.check(cserverbaseline_read_walks(baseline.pointer, &sum))
        }
        sums.yardstick = WalkSum(sum)
        return duration
      }
      precondition(sums.ours == sums.yardstick, "the two sides read different walks")
      return comparison
    }

    private func update() throws -> Comparison {
      let store = try Store(on: url, dogs: dogs, walks: walks)
      return try Comparison(rounds: rounds) {
        let context = try store.makeContext()
        let walks = try context.fetch(firstWalks)
        return try clock.measure {
          for (number, walk) in walks.enumerated() { walk.duration = 900 + Double(number) }
          try context.save()
        }
      } yardstick: {
        let baseline = try store.makeBaseline()
        let versions = try baseline.readVersions(changed)
        return try clock.measure {
          try baseline.check(
            cserverbaseline_update_walks(
              baseline.pointer, versions.keys, versions.versions, Int32(changed), 300))
        }
      }
    }

    /// Measures deletions.
    ///
    /// Both sides have read the walks, here with their tags, whose links are deleted as well;
    /// neither has read the dogs' relationships.
    private func deletion() throws -> Comparison {
      try Comparison(rounds: rounds) {
        let store = try Store(on: url, dogs: dogs, walks: changed)
        let context = try store.makeContext()
        var request = firstWalks
        request.relationshipKeyPathsForPrefetching = ["tags"]
        let walks = try context.fetch(request)
        return try clock.measure {
          for walk in walks { context.delete(walk) }
          try context.save()
        }
      } yardstick: {
        let store = try Store(on: url, dogs: dogs, walks: changed)
        let baseline = try store.makeBaseline()
        let versions = try baseline.readVersions(changed)
        return try clock.measure {
          try baseline.check(
            cserverbaseline_delete_walks(
              baseline.pointer, versions.keys, versions.versions, Int32(changed)))
        }
      }
    }

    private var firstWalks: FetchRequest<Walk> {
      var request = Walk.fetchRequest()
      request.sortDescriptors = [.init(key: "date")]
      request.fetchLimit = changed
      return request
    }

    // MARK: Compared with an ORM

    /// Runs the same work with an ORM once, in a separate process; not measured if there is none.
    private func besideAnORM(_ ours: [Double]) throws -> [Result] {
      let folder = try ScratchFolder()
      let result = folder.url.appending(path: "result")
      var theirs: [Double] = []
      if let python = ChildProcess.path(of: "python3") {
        let variables = ["PATH", "HOME"].compactMap { (name: String) -> String? in
          getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        try ChildProcess.run(python, [script, url, result.path], environment: variables)
        theirs = try String(contentsOf: result, encoding: .utf8).split(separator: "\n")
          .compactMap { Double($0) }
      }
      let names = ["insert 100,000", "fetch 100,000", "update 10,000", "delete 10,000"]
      return zip(names, ours).enumerated().map { index, row in
        let other = theirs.count == names.count ? theirs[index] : nil
        return Result(
          name: "  \(row.0), beside SQLAlchemy", ours: row.1.fixed(2) + " ms",
          yardstick: other.map { $0.fixed(2) + " ms" } ?? "", value: other.map { row.1 / $0 },
          bar: 0.1)
      }
    }
  }

  extension ServerBenchmarks {
    /// A store on the server with dogs, and walks that alternate between them; it is destroyed with
    /// this object.
    private final class Store {
      private let url: URL
      private let server: String
      private let name: String

      init(on server: String, dogs: Int, walks: Int) throws {
        self.server = server
        name = "bench-\(UUID().uuidString)"
        guard let url = URL(string: "\(server)\(server.contains("?") ? "&" : "?")store=\(name)")
        else { throw ChildProcess.Failure(description: "\(server) is not a URL") }
        self.url = url
        let context = try makeContext()
        let owners = (1...dogs).map { number in
          let dog = Dog(context: context)
          dog.name = "Dog \(number)"
          dog.nameKey = dog.name.lowercased()
          return dog
        }
        // Saved first, so that the dogs have the primary keys 1 to `dogs`.
        try context.save()
        try Self.insert(walks, for: owners, in: context)
      }

      deinit {
        // A store that cannot be destroyed does no harm.
        try? PersistentStoreCoordinator(managedObjectModel: .dogWalk).destroyPersistentStore(
          at: url, type: .postgreSQL)
      }

      static func insert(
        _ walks: Int, for owners: [Dog], in context: ManagedObjectContext
      ) throws {
        for number in 0..<walks {
          let walk = Walk(context: context)
          SampleWalk.fill(walk, number: number)
          owners[number % owners.count].addToWalks(walk)
        }
        try context.save()
      }

      func makeContext() throws -> ManagedObjectContext {
        try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: url)
          .newBackgroundContext()
      }

      /// Opens the store on the C side.
      func makeBaseline() throws -> ServerBaseline { try ServerBaseline(server, schema: name) }
    }
  }

  /// The C side of the measurements, with errors thrown.
  private final class ServerBaseline {
    let pointer: OpaquePointer

    init(_ url: String, schema: String) throws {
      var opened: OpaquePointer?
      let code = cserverbaseline_open(url, schema, &opened)
      guard let opened else {
        throw ChildProcess.Failure(description: "out of memory on the C side")
      }
      pointer = opened
      try check(code)
    }

    deinit { cserverbaseline_close(pointer) }

    func check(_ code: Int32) throws {
      guard code != 0 else { return }
      let reason = String(cString: cserverbaseline_error(pointer))
      throw ChildProcess.Failure(description: "on the C side: \(reason)")
    }

    /// Primary keys and lock counts.
    final class Versions {
      fileprivate(set) var keys: UnsafeMutablePointer<Int64>?
      fileprivate(set) var versions: UnsafeMutablePointer<Int64>?

      deinit {
        free(keys)
        free(versions)
      }
    }

    func readVersions(_ count: Int) throws -> Versions {
      let read = Versions()
      try check(
        cserverbaseline_read_versions(pointer, Int32(count), &read.keys, &read.versions))
      return read
    }
  }

  extension WalkSum {
    /// Creates the sums of values read by C from a server.
    fileprivate init(_ sum: CServerBaselineSum) {
      self.init(
        rows: Int(sum.rows), integers: Int(sum.integers), reals: sum.reals,
        textBytes: Int(sum.text_bytes), uuidBytes: Int(sum.uuid_bytes))
    }
  }
#endif

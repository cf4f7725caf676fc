#if PostgreSQL
  import CServerBaseline
  import DogWalkModel
  import ManagedObjects
  import SystemLibraries

  /// The library on a PostgreSQL server against C on libpq that does the same by hand, on the same
  /// tables, and against an ORM (`Benchmarks/orm.py`).
  struct ServerBenchmarks {
    private let rounds = 5
    private let walks = 100_000
    private let changed = 10_000
    private let dogs = 100
    private let clock = ContinuousClock()
    /// The server, as libpq knows it, with `?` and its options.
    let url: String
    /// What does the same by an ORM.
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

    // MARK: Beside C

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

    /// Both sides have read what goes, here with the tags, which are told of it; neither has read
    /// the dogs' lists.
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

    // MARK: Beside an ORM

    /// The same work by an ORM, once, in a process of its own; not measured where there is none.
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
    /// A store on the server with dogs, and walks given to them in turn; taken away with this
    /// value.
    private final class Store {
      private let url: URL
      private let server: String
      private let name: String

      init(on server: String, dogs: Int, walks: Int) throws {
        self.server = server
        name = "bench-\(UUID().uuidString)"
        guard let url = URL(string: "\(server)\(server.contains("?") ? "&" : "?")store=\(name)")
        else { throw ChildProcess.Failure(description: "\(server) is no URL") }
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
        // One that stays is untidy, no more.
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

      /// The C side on the store.
      func makeBaseline() throws -> ServerBaseline { try ServerBaseline(server, schema: name) }
    }
  }

  /// The C side, with errors thrown.
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

    /// Keys and lock counts.
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
    /// What C has read of a server.
    fileprivate init(_ sum: CServerBaselineSum) {
      self.init(
        rows: Int(sum.rows), integers: Int(sum.integers), reals: sum.reals,
        textBytes: Int(sum.text_bytes), uuidBytes: Int(sum.uuid_bytes))
    }
  }
#endif

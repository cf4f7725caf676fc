import SystemLibraries

/// The program against the sqlite3 shell, as whole processes that run alternately.
struct CommandBenchmarks {
  /// The program as `make install` installs it: stripped and copied.
  private let program: String
  private let shell: String
  private let storeTool: StoreToolBenchmarks?
  private let rounds = 101

  /// - Parameter storeTool: The benchmarks of storetool; nil to omit them.
  /// - Throws: if the sqlite3 shell, `strip` or `install` is missing.
  init(program: String, storeTool: StoreToolBenchmarks? = nil) throws {
    guard let shell = ChildProcess.path(of: "sqlite3") else {
      throw ChildProcess.Failure(description: "sqlite3 is missing: install SQLite's shell")
    }
    guard let strip = ChildProcess.path(of: "strip") else {
      throw ChildProcess.Failure(description: "strip is missing: install binutils")
    }
    guard let install = ChildProcess.path(of: "install") else {
      throw ChildProcess.Failure(description: "install is missing: install coreutils")
    }
    self.shell = shell
    // In the build folder, on a disk like the shell: a program in shared memory starts slower.
    self.program = program + "-installed"
    // strip writes its output in small pieces, which are fragmented in memory too, so that the
    // program starts a tenth of a millisecond slower than a user's copy.
    try ChildProcess.run(strip, ["-o", program + "-stripped", program])
    try ChildProcess.run(install, ["-m", "755", program + "-stripped", self.program])
    self.storeTool = storeTool
  }

  func run() throws -> [Result] {
    // Memory first: see ChildProcess.peakMemory.
    let full = try SampleStore.madeElsewhere(dogs: 1, walks: 20_000)
    let large = try SampleStore.madeElsewhere(dogs: 10, walks: 100_000)
    let ofStoreTool = try storeTool?.run() ?? []
    let ofCursors = try CursorBenchmarks().run()
    let ofReading = try ReadingBenchmarks(program: program, shell: shell, rounds: 21).run()
    return ofStoreTool + ofCursors + ofReading
      + [
        try memory(full), try start(), size(), try opening(),
        try addition(
          "dogwalk add / sqlite3 INSERT, 20,000 walks stored", to: full, from: 1_000, bar: 1.1,
          beside: Self.row),
        try addition(
          "  the same / sqlite3 that looks up and writes the same rows", to: full, from: 3_000,
          bar: nil, beside: Self.rows),
        try addition(
          "dogwalk add / sqlite3 INSERT, 100,000 walks stored", to: large, from: 1_000, bar: 1.1,
          beside: Self.row),
        try ImportBenchmarks(program: program, shell: shell).run(),
      ]
      + (try SyncBenchmarks(program: program, rounds: 5).run()) + (try manyAdditions())
      + (try syncs())
  }

  private func memory(_ store: SampleStore) throws -> Result {
    let peaks = try (0..<9).map { number in
      Double(try add(number, to: store).peakMemory) / 1_048_576
    }
    return Result(
      name: "peak memory of add, 20,000 walks stored", ours: peaks.median.fixed(2) + " MiB",
      value: peaks.median, range: (peaks.min() ?? 0)...(peaks.max() ?? 0), bar: 8)
  }

  private func start() throws -> Result {
    try Comparison(rounds: rounds) {
      try ChildProcess.run(program, ["--version"], environment: ["LC_ALL=C"]).duration
    } yardstick: {
      try ChildProcess.run(shell, ["--version"], environment: ["LC_ALL=C"]).duration
    }
    .result("dogwalk --version / sqlite3 --version", bar: 0.6)
  }

  private func size() -> Result {
    let megabytes = Double(fileSize(program)) / 1_000_000
    return Result(
      name: "size of the program, stripped", ours: megabytes.fixed(2) + " MB", value: megabytes,
      bar: 20)
  }

  private func opening() throws -> Result {
    let folder = try ScratchFolder()
    let path = folder.url.appending(path: "Large.sqlite").path
    let own = CommandLine.arguments[0]
    try ChildProcess.run(own, ["open", path])
    return try Comparison(rounds: rounds) {
      try ChildProcess.run(own, ["open", path]).duration
    } yardstick: {
      try ChildProcess.run(shell, [path, ".schema"]).duration
    }
    .result("opening a store of 25 entities / sqlite3 .schema", bar: 2)
  }

  /// Compares an addition with a shell that runs SQL; both checkpoint their log when they close the
  /// store.
  ///
  /// - Parameters:
  ///   - first: the first number of the walks, none of which the store may contain.
  ///   - sql: returns the SQL for a number.
  private func addition(
    _ name: String, to store: SampleStore, from first: Int, bar: Double?,
    beside sql: (Int) -> String
  ) throws -> Result {
    let other = try store.copy()
    var number = first
    return try Comparison(rounds: rounds) {
      number += 1
      return try add(number, to: store).duration
    } yardstick: {
      try run(sql(number), on: other).duration
    }
    .result(name, bar: bar)
  }

  private func run(_ sql: String, on store: SampleStore) throws -> ChildProcess {
    try ChildProcess.run(shell, [store.path, sql], environment: environment(of: store))
  }

  /// Returns the INSERT of a walk's row without any lookups.
  private static func row(_ number: Int) -> String {
    """
    INSERT INTO ZWALK (Z_ENT, Z_OPT, ZISONGOING, ZUTCOFFSET, ZDOG, Z_FOK_DOG, ZDATE, ZDURATION, ZUUID) \
    VALUES (4, 1, 0, 0, 1, \(100_000_000 + number * 1024), \(800_000_000 + number * 60), 1500, \
    randomblob(16))
    """
  }

  /// Returns the same with the lookups and additional rows of an addition, for a store that has had
  /// one.
  private static func rows(_ number: Int) -> String {
    """
    SELECT Z_PK FROM ZDOG WHERE ZNAMEKEY = 'fido';
    BEGIN IMMEDIATE;
    SELECT Z_PK FROM ZWALK WHERE ZDOG = 1 AND ZDATE >= \(800_000_000 + number * 60) \
    AND ZDATE < \(800_001_500 + number * 60) LIMIT 4;
    SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 4 UNION ALL SELECT max(Z_PK) FROM ZWALK;
    UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 4;
    SELECT max(Z_FOK_DOG) FROM ZWALK WHERE ZDOG = 1;
    \(row(number));
    INSERT INTO MO_UNDO (SERIAL, UNDONE, AT, NAME, CHANGES, AUTHOR) \
    SELECT max(SERIAL) + 1, 0, \(800_000_000 + number), 'add Fido 25m', randomblob(16), NULL \
    FROM MO_UNDO;
    COMMIT
    """
  }

  private func manyAdditions() throws -> [Result] {
    let store = try SampleStore.madeElsewhere(dogs: 0, walks: 0)
    let other = try SampleStore.madeElsewhere(dogs: 1, walks: 1)
    var durations: [Double] = []
    var yardsticks: [Double] = []
    for number in 0..<500 {
      durations.append(try add(number, to: store).duration.milliseconds)
      yardsticks.append(try run(Self.row(number), on: other).duration.milliseconds)
      guard fileSize(store.path + "-wal") == 0 else {
        throw ChildProcess.Failure(description: "a walk was left in the log")
      }
    }
    // An open connection prevents the log from being deleted.
    let watcher = try store.makeContext()
    var log = 0
    for number in 500..<600 {
      try add(number, to: store)
      log = max(log, fileSize(store.path + "-wal"))
    }
    withExtendedLifetime(watcher) {}
    // Ensures that the walks were really added.
    let count = try store.walkCount()
    guard count == 600 else {
      throw ChildProcess.Failure(description: "of 600 added walks, \(count) exist")
    }
    let first = Array(durations.prefix(50)).median
    let last = Array(durations.suffix(50)).median
    let firstYardstick = Array(yardsticks.prefix(50)).median
    let lastYardstick = Array(yardsticks.suffix(50)).median
    let megabytes = Double(log) / 1_048_576
    return [
      Result(
        name: "500 adds in a row: last 50 / first 50", ours: last.fixed(2) + " ms",
        yardstick: first.fixed(2) + " ms", value: last / first, bar: 1.1),
      // The share of the file and the disk.
      Result(
        name: "500 sqlite3 INSERTs in a row: last 50 / first 50",
        ours: lastYardstick.fixed(2) + " ms", yardstick: firstYardstick.fixed(2) + " ms",
        value: lastYardstick / firstYardstick, bar: nil),
      Result(
        name: "100 adds beside an open store: the log at its longest",
        ours: megabytes.fixed(2) + " MiB", value: megabytes, bar: 0.25),
    ]
  }

  /// Counts the sync calls of an addition in the output of strace, which has a line for each call.
  private func syncs() throws -> [Result] {
    let names = ["syncs of an add, median", "syncs of an add, mean"]
    guard let strace = ChildProcess.path(of: "strace") else {
      return names.map { Result(name: $0, ours: "", value: nil, bar: nil) }
    }
    let store = try SampleStore.madeElsewhere(dogs: 1, walks: 1)
    let record = store.path + "-strace"
    let counts = try (0..<120).map { number in
      try ChildProcess.run(
        strace, ["-f", "-e", "trace=fsync,fdatasync", "-o", record, program] + words(number),
        environment: environment(of: store))
      let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
      // A call that another thread interrupted has two lines, and only the first contains the
      // parenthesis.
      return Double(lines.count { $0.contains("sync(") })
    }
    let mean = counts.reduce(0, +) / Double(counts.count)
    let range = (counts.min() ?? 0)...(counts.max() ?? 0)
    return [
      Result(
        name: names[0], ours: counts.median.fixed(0), value: counts.median, range: range, bar: 5),
      Result(name: names[1], ours: mean.fixed(2), value: mean, range: range, bar: 5),
    ]
  }

  /// Returns the size of a file in bytes; 0 if there is none.
  private func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  @discardableResult
  private func add(_ number: Int, to store: SampleStore) throws -> ChildProcess {
    try ChildProcess.run(program, words(number), environment: environment(of: store))
  }

  /// Returns an environment with a date after all walks, and without the caller's variables.
  private func environment(of store: SampleStore) -> [String] {
    ["DOGWALK_STORE=\(store.path)", "DOGWALK_NOW=2026-11-21T09:00:00Z", "TZ=UTC", "LC_ALL=C"]
  }

  /// Returns the words that add a walk, with a different time for every number and without
  /// overlaps.
  ///
  /// The walks already in the store are in later years.
  private func words(_ number: Int) -> [String] {
    let (day, halfHour) = number.quotientAndRemainder(dividingBy: 24)
    let (month, dayOfMonth) = day.quotientAndRemainder(dividingBy: 28)
    let date = "20\(25 - month / 12)-\(twoDigits(month % 12 + 1))-\(twoDigits(dayOfMonth + 1))"
    return [
      "add", "Fido", "25m", date, "\(halfHour / 2 + 8):\(halfHour % 2 == 0 ? "00" : "30")",
    ]
  }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Reading commands on 100,000 walks of ten dogs in ten years, compared with the sqlite3 shell.
struct ReadingBenchmarks {
  /// The path of the program.
  let program: String
  /// The path of the sqlite3 shell.
  let shell: String
  /// The number of rounds.
  let rounds: Int

  private static let dogs = 10
  private static let walks = 100_000

  func run() throws -> [Result] {
    let store = try SampleStore.madeElsewhere(dogs: Self.dogs, walks: Self.walks)
    // A walk each 53 minutes up to now, so that there are walks on every day.
    try ChildProcess.run(
      shell,
      [
        store.path,
        "UPDATE ZWALK SET ZDATE = \(Self.now - 1800) - (\(Self.walks) - Z_PK) * 3180.0",
      ])
    let readings: [[String]] = [
      [], ["dogs", "--json"], ["list"], ["list", "--reverse"], ["list", "--json"],
      ["list", "--note", "river"], ["list", "--where", "duration > 1800"],
      ["report", "--until", "today", "--by-month"], ["report", "--until", "today", "--svg", "-"],
      ["export", "--format", "ics"], ["history"], ["doctor"],
      ["completions", "zsh", "--", "delete", ""],
    ]
    return try readings.map { try memory($0, in: store) } + [
      try memory(["list", "--no-pager"], in: store, output: .terminal),
      try comparison([], with: [":memory:", "select 1"], in: store)
        .result("dogwalk, 10 dogs, 100,000 walks / sqlite3 select 1", bar: 2),
      try comparison(["list", "--week"], with: [":memory:", "select 1"], in: store)
        .result("dogwalk list --week / sqlite3 select 1", bar: 2),
      try comparison(
        ["report", "--until", "today", "--by-month"], with: [store.path, Self.grouping], in: store
      ).result("dogwalk report over all years / sqlite3 GROUP BY", bar: 1.5),
      try comparison(
        ["list"], with: ["-separator", "\t", store.path, Self.listing], in: store, output: .pipe
      ).result("dogwalk list of 100,000 walks on a pipe / sqlite3 SELECT", bar: 0.7),
      try completions(in: store),
    ]
  }

  /// 21 November 2026, 19:00 UTC, in seconds since 2001.
  private static let now = 816_980_400

  /// The sums in the report, grouped by the walkers' local months.
  private static let grouping = """
    SELECT ZDOG, strftime('%Y-%m', ZDATE + 978307200 + ZUTCOFFSET, 'unixepoch') AS MONTH, \
    count(*), sum(ZDURATION) / 60 FROM ZWALK GROUP BY ZDOG, MONTH
    """

  /// The columns of `dogwalk list` on a pipe, in the same order and format.
  private static let listing = """
    SELECT w.Z_PK, strftime('%Y-%m-%dT%H:%M:%S', ZDATE + 978307200 + ZUTCOFFSET, 'unixepoch') \
    || printf('+%02d:%02d', ZUTCOFFSET / 3600, ZUTCOFFSET % 3600 / 60), ZDURATION / 60, ZNAME, ZNOTE \
    FROM ZWALK AS w LEFT JOIN ZDOG AS d ON d.Z_PK = ZDOG ORDER BY ZDATE DESC, w.Z_PK
    """

  /// Measures the time from pressing the tab key to the suggestions.
  private func completions(in store: SampleStore) throws -> Result {
    let times = try (0..<rounds).map { _ in
      try command(["completions", "zsh", "--", "delete", ""], in: store).duration.milliseconds
    }
    return Result(
      name: "completing walks, 100,000 walks", ours: times.median.fixed(2) + " ms",
      value: times.median, range: (times.min() ?? 0)...(times.max() ?? 0), bar: 20)
  }

  private func memory(
    _ words: [String], in store: SampleStore, output: ChildProcess.Output = .nothing
  ) throws -> Result {
    let peaks = try (0..<3).map { _ in
      Double(try command(words, in: store, output: output).peakMemory) / 1_048_576
    }
    let name =
      (["dogwalk"] + words).joined(separator: " ") + (output == .terminal ? " on a terminal" : "")
    return Result(
      name: "peak memory of \(name), 100,000 walks", ours: peaks.median.fixed(2) + " MiB",
      value: peaks.median, range: (peaks.min() ?? 0)...(peaks.max() ?? 0), bar: 12)
  }

  private func comparison(
    _ words: [String], with query: [String], in store: SampleStore,
    output: ChildProcess.Output = .nothing
  ) throws -> Comparison {
    var lines = (ours: 0, yardstick: 0)
    let comparison = try Comparison(rounds: rounds) {
      let process = try command(words, in: store, output: output)
      lines.ours = process.lines
      return process.duration
    } yardstick: {
      let process = try ChildProcess.run(
        shell, query, environment: ["LC_ALL=C"], output: output)
      lines.yardstick = process.lines
      return process.duration
    }
    precondition(lines.ours == lines.yardstick, "the two sides wrote different lists")
    return comparison
  }

  private func command(
    _ words: [String], in store: SampleStore, output: ChildProcess.Output = .nothing
  ) throws -> ChildProcess {
    try ChildProcess.run(
      program, words,
      environment: [
        "DOGWALK_STORE=\(store.path)", "DOGWALK_NOW=2026-11-21T19:00:00Z", "TZ=UTC", "LC_ALL=C",
      ], output: output)
  }
}

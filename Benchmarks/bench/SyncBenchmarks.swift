import SystemLibraries

/// `dogwalk sync` of two stores with 100,000 walks, as whole processes.
struct SyncBenchmarks {
  /// The path of the stripped program.
  let program: String
  let rounds: Int

  func run() throws -> [Result] {
    let store = try SampleStore.madeElsewhere(dogs: 10, walks: 100_000)
    let folder = try ScratchFolder()
    let other = folder.url.appending(path: "other.sqlite").path
    let first = try sync(store, other)
    var idle: [ChildProcess] = []
    for _ in 0..<rounds { idle.append(try sync(store, other)) }
    var inStep: [ChildProcess] = []
    for number in 0..<rounds {
      for path in [store.path, other] {
        try ChildProcess.run(
          program, ["--store", path, "edit", "\(number + 1)", "--note", "\(path.count)\(number)"],
          environment: environment(of: store))
      }
      inStep.append(try sync(store, other))
    }
    return [
      Self.duration("sync of 100,000 walks, nothing changed", idle, bar: 300),
      Self.duration("sync of 100,000 walks in step", inStep, bar: 2_000),
      Self.memory("peak memory of a sync of 100,000 walks in step", inStep, bar: 64),
      Self.duration("first sync of 100,000 walks", [first], bar: nil),
    ]
  }

  private func sync(_ store: SampleStore, _ other: String) throws -> ChildProcess {
    try ChildProcess.run(program, ["sync", other, "-q"], environment: environment(of: store))
  }

  private func environment(of store: SampleStore) -> [String] {
    ["DOGWALK_STORE=\(store.path)", "DOGWALK_NOW=2026-11-21T09:00:00Z", "TZ=UTC", "LC_ALL=C"]
  }

  private static func duration(_ name: String, _ runs: [ChildProcess], bar: Double?) -> Result {
    let durations = runs.map(\.duration.milliseconds)
    return Result(
      name: name, ours: durations.median.fixed(0) + " ms", value: durations.median,
      range: (durations.min() ?? 0)...(durations.max() ?? 0), bar: bar)
  }

  private static func memory(_ name: String, _ runs: [ChildProcess], bar: Double) -> Result {
    let peaks = runs.map { Double($0.peakMemory) / 1_048_576 }
    return Result(
      name: name, ours: peaks.median.fixed(1) + " MiB", value: peaks.median,
      range: (peaks.min() ?? 0)...(peaks.max() ?? 0), bar: bar)
  }
}

/// storetool as a whole process, on a store that is much larger than its memory limit.
struct StoreToolBenchmarks {
  /// The path of the program.
  let program: String
  /// The path of the DogWalk model.
  let model: String

  func run() throws -> [Result] {
    let store = try SampleStore.madeElsewhere(dogs: 100, walks: 1_000_000)
    let runs = try (0..<3).map { _ in
      try ChildProcess.run(program, ["inspect", store.path, "--model", model, "--json"])
    }
    let peaks = runs.map { Double($0.peakMemory) / 1_048_576 }
    let duration = runs.map(\.duration.milliseconds).median
    return [
      Result(
        name: "peak memory of storetool inspect --json, 1,000,000 rows",
        ours: peaks.median.fixed(2) + " MiB", yardstick: duration.fixed(0) + " ms",
        value: peaks.median, range: (peaks.min() ?? 0)...(peaks.max() ?? 0), bar: 64)
    ]
  }
}

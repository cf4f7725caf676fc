/// A cursor in a separate process, built like a release: shared libraries count as memory as well.
struct CursorBenchmarks {
  func run() throws -> [Result] {
    let many = try peaks(SampleStore.madeElsewhere(dogs: 100, walks: 1_000_000))
    let few = try peaks(SampleStore.madeElsewhere(dogs: 100, walks: 10_000))
    return [
      Result(
        name: "peak memory of a cursor over 1,000,000 walks",
        ours: many.median.fixed(2) + " MiB", value: many.median,
        range: (many.min() ?? 0)...(many.max() ?? 0), bar: 12),
      Result(
        name: "  the same / over 10,000 walks", ours: many.median.fixed(2) + " MiB",
        yardstick: few.median.fixed(2) + " MiB", value: many.median / few.median, bar: 1.1),
    ]
  }

  private func peaks(_ store: SampleStore) throws -> [Double] {
    try (0..<5).map { _ in
      let child = try ChildProcess.run(CommandLine.arguments[0], ["stream", store.path])
      return Double(child.peakMemory) / 1_048_576
    }
  }
}

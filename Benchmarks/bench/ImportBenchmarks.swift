import SystemLibraries

/// `dogwalk import` of 100,000 walks, compared with `.import` of the same rows in the sqlite3
/// shell.
struct ImportBenchmarks {
  /// The path of the program.
  let program: String
  /// The path of the sqlite3 shell.
  let shell: String

  func run() throws -> Result {
    let full = try SampleStore.madeElsewhere(dogs: 10, walks: 100_000)
    let empty = try SampleStore.madeElsewhere(dogs: 10, walks: 0)
    let folder = try ScratchFolder()
    let walks = folder.url.appending(path: "walks.csv").path
    let rows = folder.url.appending(path: "rows.csv").path
    let environment = ["DOGWALK_NOW=2030-01-01T00:00:00Z", "TZ=UTC", "LC_ALL=C"]
    try ChildProcess.run(
      program, ["export", "--store", full.path, "--reverse", "-o", walks],
      environment: environment)
    // The rows of the table.
    try ChildProcess.run(
      shell, [full.path, ".mode csv", ".once \(rows)", "SELECT * FROM ZWALK"])
    return try Comparison(rounds: 5) {
      let store = try empty.copy()
      let duration = try ChildProcess.run(
        program, ["import", "--store", store.path, walks], environment: environment
      ).duration
      guard try store.walkCount() == 100_000 else {
        throw ChildProcess.Failure(description: "not every walk was imported")
      }
      return duration
    } yardstick: {
      let store = try empty.copy()
      return try ChildProcess.run(shell, [store.path, ".import --csv \(rows) ZWALK"]).duration
    }
    .result("dogwalk import / sqlite3 .import, 100,000 walks", bar: 3)
  }
}

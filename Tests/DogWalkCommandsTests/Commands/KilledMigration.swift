import Foundation
import TestSupport
import Testing

/// Kills commands that migrate a store, each time at another moment, and looks at what they leave.
///
/// - Parameters:
///   - store: the prompt's store, of an older version.
///   - count: how many walks it has; the command adds one.
func expectWhole(
  afterKillsIn prompt: Prompt, _ store: URL, walks count: Int,
  location: SourceLocation = #_sourceLocation
) throws {
  let seed = SeededGenerator.seed()
  var random = SeededGenerator(seed: seed)
  let old = try Data(contentsOf: store)
  for round in 0..<12 {
    try old.write(to: store)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
    let process = try ProgramProcess(["add", "-q", "Rex", "5m", "6:00"], in: prompt)
    usleep(UInt32.random(in: 0..<150_000, using: &random))
    process.kill()
    _ = process.answer()
    let doctor = prompt.run("doctor")
    #expect(
      doctor.code == 0, "seed \(seed), round \(round): \(doctor)", sourceLocation: location)
    let found = prompt.run("list").output.split(separator: "\n").count
    #expect(
      found == count || found == count + 1, "seed \(seed), round \(round)",
      sourceLocation: location)
  }
  #expect(prompt.run("add", "-q", "Rex", "5m", "6:00").code == 0, sourceLocation: location)
  // Nothing of a killed one lies about.
  let names = try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
  #expect(!names.contains { $0.contains("migrating") }, sourceLocation: location)
}

import Foundation
import TestSupport
import Testing

/// Kills commands that migrate a store, each time at another moment, and examines what they leave.
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
  var moments = KillMoments()
  // At least sixteen, and more where the machine's speed changes so that all are on one side.
  for round in 0..<100 where round < 16 || min(moments.before, moments.after) < 2 {
    try old.write(to: store)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
    let process = try ProgramProcess(["add", "-q", "--dog", "Rex", "5m", "6:00"], in: prompt)
    usleep(moments.next(&random))
    process.kill()
    _ = process.answer()
    let doctor = prompt.run("doctor")
    #expect(
      doctor.code == 0, "seed \(seed), round \(round): \(doctor)", sourceLocation: location)
    moments.note(isMigrated: prompt.run("doctor", "--json").output.contains(#""version": 3,"#))
    let found = prompt.run("list").output.split(separator: "\n").count
    #expect(
      found == count || found == count + 1, "seed \(seed), round \(round)",
      sourceLocation: location)
  }
  #expect(
    moments.before > 1 && moments.after > 1, "seed \(seed): \(moments)", sourceLocation: location)
  #expect(prompt.run("add", "-q", "--dog", "Rex", "5m", "6:00").code == 0, sourceLocation: location)
  // No files of a killed command remain.
  let names = try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
  #expect(!names.contains { $0.contains("migrating") }, sourceLocation: location)
}

/// Moments at which to kill a command, around the one at which its migration is done.
///
/// Each is later than the last one where that was too early, and earlier where it was too late, the
/// more so the longer that continues: a machine is not always equally fast.
private struct KillMoments {
  /// How many kills were before the migration was done, and how many after it.
  private(set) var before = 0
  private(set) var after = 0
  /// How many in a row were on the side of the last one.
  private var row = 0
  private var wasMigrated = false
  /// The last delay, in microseconds.
  private var delay: UInt32 = 0

  /// At once, then later and later until the migration is done, and then back and forth.
  mutating func next(_ random: inout SeededGenerator) -> UInt32 {
    if after == 0 {
      delay = before == 0 ? 0 : max(16_000, delay * 2)
    } else {
      let step = 1 + Double.random(in: 0.05...0.15, using: &random) * Double(1 << min(row, 4))
      delay = UInt32(Double(max(delay, 1_000)) * (wasMigrated ? 1 / step : step))
    }
    return delay
  }

  /// Records what the kill at the last moment left.
  mutating func note(isMigrated: Bool) {
    row = isMigrated == wasMigrated ? row + 1 : 0
    wasMigrated = isMigrated
    if isMigrated { after += 1 } else { before += 1 }
  }
}

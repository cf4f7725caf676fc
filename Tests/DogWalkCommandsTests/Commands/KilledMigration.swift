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
  var moments = KillMoments()
  for round in 0..<16 {
    try old.write(to: store)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
    let process = try ProgramProcess(["add", "-q", "--dog", "Rex", "5m", "6:00"], in: prompt)
    let delay = moments.next(&random)
    usleep(delay)
    process.kill()
    _ = process.answer()
    let doctor = prompt.run("doctor")
    #expect(
      doctor.code == 0, "seed \(seed), round \(round): \(doctor)", sourceLocation: location)
    moments.note(
      delay, isMigrated: prompt.run("doctor", "--json").output.contains(#""version": 3,"#))
    let found = prompt.run("list").output.split(separator: "\n").count
    #expect(
      found == count || found == count + 1, "seed \(seed), round \(round)",
      sourceLocation: location)
  }
  #expect(
    moments.before > 1 && moments.after > 1, "seed \(seed): \(moments)", sourceLocation: location)
  #expect(prompt.run("add", "-q", "--dog", "Rex", "5m", "6:00").code == 0, sourceLocation: location)
  // Nothing of a killed one lies about.
  let names = try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
  #expect(!names.contains { $0.contains("migrating") }, sourceLocation: location)
}

/// Moments at which to kill a command, which close in on the one at which its migration is done.
private struct KillMoments {
  /// How many kills came before that, and how many after it.
  private(set) var before = 0
  private(set) var after = 0
  /// The longest delay, in microseconds, that was too short, and the shortest that was not.
  private var tooShort: UInt32 = 0
  private var longEnough: UInt32?

  /// At once, then later and later until the migration is done, and then between the two.
  mutating func next(_ random: inout SeededGenerator) -> UInt32 {
    guard let longEnough else { return before == 0 ? 0 : max(16_000, tooShort * 2) }
    let (shortest, longest) = (min(tooShort, longEnough), max(tooShort, longEnough))
    // A machine is not always as quick, so that what was long enough may be too short.
    return .random(in: shortest - shortest / 8...longest + longest / 8, using: &random)
  }

  mutating func note(_ delay: UInt32, isMigrated: Bool) {
    if isMigrated {
      after += 1
      longEnough = min(longEnough ?? delay, delay)
    } else {
      before += 1
      tooShort = max(tooShort, delay)
    }
  }
}

import Foundation
import TestSupport
import Testing

/// A read-only store of an older version can be read by everyone, and a change reports that it
/// cannot be made.
func expectOnlyRead(
  byStrangersIn prompt: Prompt, _ store: URL, location: SourceLocation = #_sourceLocation
) throws {
  let look = "chmod 755 . && chmod 644 \(store.lastPathComponent)*"
  #expect(try ProgramProcess(script: look, in: prompt).answer().code == 0, sourceLocation: location)
  let before = try Data(contentsOf: store)
  for words in [["list"], ["dogs"], ["export"], ["doctor"]] {
    let expected = try ProgramProcess(words, in: prompt).answer()
    #expect(expected.code == 0, sourceLocation: location)
    #expect(try Stranger.run(words, in: prompt) == expected, sourceLocation: location)
  }
  let refused = try Stranger.run(["add", "Fido", "5m"], in: prompt)
  #expect(refused.code == 77 && refused.output.isEmpty, "\(refused)", sourceLocation: location)
  #expect(refused.errors.contains(store.path), sourceLocation: location)
  try expectUntouched(store, before, in: prompt, location)
}

/// Without enough space to migrate a store of an older version, or to copy it, that is reported,
/// and it is unchanged.
func expectRefused(
  withoutRoomIn prompt: Prompt, _ store: URL, location: SourceLocation = #_sourceLocation
) throws {
  let before = try Data(contentsOf: store)
  let noRoom = "trap '' XFSZ; ulimit -f 100; "
  let read = try ProgramProcess(script: noRoom + "dogwalk list", in: prompt).answer()
  #expect(read.code != 0 && read.output.isEmpty, sourceLocation: location)
  #expect(
    read.errors.hasPrefix("dogwalk: cannot read the store \(store.path): "), "\(read)",
    sourceLocation: location)
  #expect(read.errors.contains("TMPDIR"), sourceLocation: location)
  let added = try ProgramProcess(script: noRoom + "dogwalk add Fido 5m", in: prompt).answer()
  #expect(added.code == 74 && added.output.isEmpty, "\(added)", sourceLocation: location)
  #expect(
    added.errors.contains("there is no room left. Nothing was changed"), "\(added)",
    sourceLocation: location)
  try expectUntouched(store, before, in: prompt, location)
  #expect(prompt.run("add", "Fido", "5m").code == 0, sourceLocation: location)
}

private func expectUntouched(
  _ store: URL, _ before: Data, in prompt: Prompt, _ location: SourceLocation
) throws {
  #expect(try Data(contentsOf: store) == before, sourceLocation: location)
  let names = try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
  #expect(
    names.filter { $0.contains("walks") } == [store.lastPathComponent], "\(names)",
    sourceLocation: location)
}

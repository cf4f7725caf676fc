import Foundation
import TestSupport
import Testing

@testable import DogWalkModel

/// Overlaps that an import reports, compared with every pair of walks.
@Suite struct `New walks that overlap others` {
  private struct Span {
    let dog: String
    let start: Int
    let minutes: Int?

    func overlaps(_ other: Span) -> Bool {
      guard dog == other.dog else { return false }
      let (end, otherEnd) = (start + (minutes ?? 0), other.start + (other.minutes ?? 0))
      return start == other.start || start < otherEnd && other.start < end
    }

    var record: WalkRecord {
      var draft = WalkDraft(
        start: Date(timeIntervalSinceReferenceDate: Double(start * 60)), utcOffset: 0)
      draft.duration = minutes.map { Double($0 * 60) }
      // Each is a walk of its own, even where two are equal.
      return WalkRecord(dog: dog, uuid: UUID(), draft: draft, fields: [.duration])
    }
  }

  @Test(arguments: 0..<20) func `are found, and no others`(round: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "dogwalk-overlaps-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = SeededGenerator.seed() &+ UInt64(round)
    var random = SeededGenerator(seed: seed)
    let log = try WalkLog(at: folder.appending(path: "walks.sqlite"), for: .writing)
    var there: [Span] = []
    for _ in 0..<3 {
      let new = (0..<12).map { _ in
        Span(
          dog: ["Fido", "Rex"].randomElement(using: &random)!,
          start: Int.random(in: 0..<200, using: &random),
          minutes: [nil, 1, 5, 40].randomElement(using: &random)!)
      }
      let merged = try log.merge([new.map(\.record)], localOffset: { _ in 0 }) { _ in }
      let all = there + new
      let expected = all.indices.dropFirst(there.count).filter { index in
        all.indices.contains { $0 != index && all[$0].overlaps(all[index]) }
      }
      #expect(merged.overlapping == expected.count, "seed \(seed)")
      let starts = try log.walks(numbered: merged.overlappingNumbers).found.map(\.date)
      let first = expected.map { Double(all[$0].start * 60) }.sorted().prefix(3)
      #expect(starts.map(\.timeIntervalSinceReferenceDate) == Array(first), "seed \(seed)")
      there = all
    }
  }
}

import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite struct `A query for walks` {
  static let moments = [
    -63_113_817_601, -63_113_817_600, 0, 1000, 2000, 252_423_907_199, 252_423_907_200,
  ]
  .map { Date(timeIntervalSinceReferenceDate: $0) }

  @Test(arguments: [nil] + moments.map(Optional.some), [nil] + moments.map(Optional.some))
  func `has the walks between two dates, with one bound on either side`(
    earliest: Date?, latest: Date?
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "dogwalk-query-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try WalkLog(at: folder.appending(path: "walks.sqlite"), for: .writing)
    let dogs = try log.addDogs(named: ["Fido"]) { _ in }
    for moment in Self.moments {
      let walk = Walk(context: log.context)
      walk.date = moment
      dogs[0].addToWalks(walk)
    }
    try log.save()
    for isDated in [false, true] {
      var query = WalkQuery()
      query.isDated = isDated
      query.earliest = earliest
      query.latest = latest
      let found = try log.walks(query).map { $0.date }
      let expected = Self.moments.filter { moment in
        earliest.map { $0 <= moment } ?? true && latest.map { moment <= $0 } ?? true
          && (!isDated || moment.inCalendar != nil)
      }
      #expect(found == expected.reversed(), "isDated: \(isDated)")
      let text = query.request.predicate.map(String.init(describing:)) ?? ""
      #expect(text.components(separatedBy: "date >").count <= 2, "\(text)")
      #expect(text.components(separatedBy: "date <").count <= 2, "\(text)")
      #expect(text.contains("date <") == (isDated || latest != nil), "\(text)")
    }
  }
}

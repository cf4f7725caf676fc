import DogWalkModel

/// How a dog stands now: its last walk, and today's minutes.
struct DogStanding {
  /// The dog.
  let dog: Dog
  /// Its newest walk; `nil` where it has none.
  let lastWalk: Walk?
  /// The minutes of today's walks, as far as they are known.
  let minutesToday: Double
  /// Whether it is meant where no dog is named.
  let isCurrent: Bool

  /// Every dog of a run's store, by name.
  static func all(in run: CommandRun) throws -> [DogStanding] {
    let log = try run.log()
    let dogs = try log.dogs()
    guard !dogs.isEmpty else { return [] }
    let today = try run.clock().now.day
    let period = Period(days: today..<today.adding(days: 1))
    var query = WalkQuery()
    (query.earliest, query.latest) = period.instantBounds
    query.isWanted = { period.contains($0.start(in: run.zone)) }
    let todaysWalks = try log.walks(query)
    let current = try run.currentDogName().map(NameKey.of)
    return try dogs.map { dog in
      DogStanding(
        dog: dog, lastWalk: try log.lastWalk(of: dog),
        minutesToday: todaysWalks.reduce(0) { $0 + ($1.dog === dog ? $1.minutes ?? 0 : 0) },
        isCurrent: dog.nameKey == current)
    }
  }

  // MARK: For people

  /// Writes a line for each: name, last walk and how long ago it was.
  static func writeTable(_ standings: [DogStanding], _ run: CommandRun) throws {
    let hasMark = standings.count > 1 && standings.contains(where: \.isCurrent)
    let now = try run.clock().now
    let lastWalks = standings.map { $0.lastWalkReading(now: now, run.zone) }
    // Where the line is short, when the dog was out matters more than the end of a long name.
    let width = run.terminal.isTerminal ? run.terminal.columns : .max
    let nameWidth = max(8, width - 4 - (lastWalks.map(\.displayWidth).max() ?? 0))
    var table = TextTable(alignments: [.left, .left, .left])
    for (standing, lastWalk) in zip(standings, lastWalks) {
      let mark = hasMark ? (standing.isCurrent ? "* " : "  ") : ""
      let name = standing.dog.name.escapingControls.truncated(to: nameWidth)
      table.append([mark + name, lastWalk, standing.targetReading])
    }
    for line in table.lines(width: width) { try run.output.writeLine(line) }
  }

  private func lastWalkReading(now: Moment, _ zone: LocalZone) -> String {
    guard let lastWalk else { return "no walks" }
    let start = lastWalk.start(in: zone)
    let walker = lastWalk.walker.map { ", \($0.escapingControls)" } ?? ""
    return "\(start.reading(now: now)) (\(start.ago(now: now))\(walker))"
  }

  private var targetReading: String {
    dog.targetMinutes.map { "\(minutesToday.rounded(toDecimals: 0)) of \($0) min" } ?? ""
  }

  // MARK: For programs

  /// Writes them as a document; what is not known is `null`.
  static func writeJSON(_ standings: [DogStanding], _ run: CommandRun) throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("dogs") { json in
        json.lines(standings) { json, standing in
          json.object { json in
            json.member("name", standing.dog.name)
            json.member("current", standing.isCurrent)
            json.member("last", standing.lastWalk?.start(in: run.zone).iso8601)
            json.member("minutes_today", standing.minutesToday)
            json.member("target_minutes", standing.dog.targetMinutes.map { Int($0) })
          }
        }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable)
extension DogStanding: Sendable {}

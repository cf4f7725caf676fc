extension SyncOrigins {
  /// When something was set.
  struct Stamp {
    /// The rounds, nil for that of the sync.
    var rounds: [SyncRound]?
    /// How late it was.
    var order: Int
    /// The rounds in which it was set before, and whether it was then what it is now.
    var before: [(rounds: [SyncRound]?, isSame: Bool)] = []
    /// Whether these are all since something was noted.
    var isWhole = true
    /// Whether it was done again, at a time of which no order tells.
    var isRedone = false

    /// Notes that it was set, taken back, set again, and so on, in rounds of their own; it is now
    /// as the last one has left it.
    ///
    /// - Parameter isSame: whether it is so since the first of them.
    mutating func follow(_ states: [SyncRound], isSame: Bool) {
      for (index, state) in states.dropLast().enumerated() {
        before.append(([state], index.isMultiple(of: 2) == isSame))
      }
      rounds = [states[states.count - 1]]
    }

    /// Notes that it was something else in some rounds.
    mutating func follow(_ earlier: Stamp) {
      let others = earlier.before.map(\.rounds) + [earlier.rounds]
      before = others.map { ($0, false) } + before
      if !earlier.isWhole { isWhole = false }
    }

    /// The stamp of what is changed in two ways, as somebody's walks are by giving them to another
    /// one, and by giving that one another name: what it was in between only both tell.
    func joined(with other: Stamp) -> Stamp {
      let (first, last) = order < other.order ? (self, other) : (other, self)
      var joined = last
      joined.before = joined.before.map { ($0.rounds, false) }
      joined.follow(first)
      // Which of them was the last one nobody knows, and who knows one need not know the other.
      if first.isRedone { joined.rounds = nil }
      return joined
    }
  }
}

extension SyncOrigins {
  /// The point in the log at which something was set.
  struct Stamp {
    /// The rounds; nil for the round of the sync.
    var rounds: [SyncRound]?
    /// The position in the order of changes.
    var order: Int
    /// The earlier rounds in which it was set, each with whether the value was the current one.
    var before: [(rounds: [SyncRound]?, isSame: Bool)] = []
    /// Whether these are all rounds since the last record.
    var isWhole = true
    /// Whether it was redone, at a time that the order does not reflect.
    var isRedone = false

    /// Adds the rounds in which it was set, undone, redone, and so on; the last one is in effect.
    ///
    /// - Parameter isSame: whether the first of them left the current value.
    mutating func follow(_ states: [SyncRound], isSame: Bool) {
      for (index, state) in states.dropLast().enumerated() {
        before.append(([state], index.isMultiple(of: 2) == isSame))
      }
      rounds = [states[states.count - 1]]
    }

    /// Adds rounds in which the value was a different one.
    mutating func follow(_ earlier: Stamp) {
      let others = earlier.before.map(\.rounds) + [earlier.rounds]
      before = others.map { ($0, false) } + before
      if !earlier.isWhole { isWhole = false }
    }

    /// Returns the stamp of a value that two changes affect.
    ///
    /// An example is a walk given to another walker who is then renamed: the value in between
    /// depends on both changes.
    func joined(with other: Stamp) -> Stamp {
      let (first, last) = order < other.order ? (self, other) : (other, self)
      var joined = last
      joined.before = joined.before.map { ($0.rounds, false) }
      joined.follow(first)
      // It is unknown which of them came last, and a store that knows one need not know the other.
      if first.isRedone { joined.rounds = nil }
      return joined
    }
  }
}

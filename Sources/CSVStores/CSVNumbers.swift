import ManagedObjects

/// The objects of a root entity by their numbers.
///
/// A sorted array with 24 bytes for each object; a look-up is a single access if no number is
/// missing.
struct CSVNumbers {
  private var entries: [(number: Int64, id: ManagedObjectID)] = []

  mutating func append(_ number: Int64, _ id: ManagedObjectID) { entries.append((number, id)) }

  /// Prepares for look-ups; returns false if a number occurs twice.
  mutating func sort() -> Bool {
    func areSorted() -> Bool {
      zip(entries, entries.dropFirst()).allSatisfy { $0.number < $1.number }
    }
    if areSorted() { return true }
    entries.sort { $0.number < $1.number }
    return areSorted()
  }

  /// The ID of the object with a number; nil if there is none.
  subscript(number: Int64) -> ManagedObjectID? {
    if number > 0, number <= entries.count, entries[Int(number) - 1].number == number {
      return entries[Int(number) - 1].id
    }
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].number == number { return entries[middle].id }
      range =
        entries[middle].number < number
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

@available(*, unavailable) extension CSVNumbers: Sendable {}

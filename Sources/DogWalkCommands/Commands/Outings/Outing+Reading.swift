import CommandLineKit
import DogWalkModel

/// An outing as shown to people in one line.
extension Outing {
  /// The walks' numbers: `3`, `3-5`, `3 7`.
  var numbersReading: String {
    let numbers = walks.map(\.number).sorted()
    guard numbers.count > 1, let first = numbers.first, let last = numbers.last else {
      return String(walk.number)
    }
    let isRun = last - first == Int64(numbers.count) - 1
    return isRun ? "\(first)-\(last)" : TypedWords.text(of: numbers.map { String($0) })
  }

  /// The outings that it is split into in a table: one, unless the text of its numbers is too long.
  var tableRows: [Outing] { numbersReading.utf8.count > 11 ? walks.map(Outing.init) : [self] }

  /// The dogs' names: `Fido and Rex`.
  var dogsReading: String {
    walks.count == 1 ? walk.shownDogName : sentenceList(dogNames)
  }

  private var dogNames: [String] { byNumber.map(\.shownDogName) }

  /// The walks in the order of their numbers, so that names and numbers correspond.
  private var byNumber: [Walk] { walks.sorted { $0.number < $1.number } }

  /// Returns the other values: `2.4 km, by Ana, +park; Fido: poo; rain`.
  ///
  /// Values of all dogs come first, then those of single dogs, then the note.
  ///
  /// - Parameter namesDogs: Whether to include the names, since they do not fit their column.
  func details(tags: WalkTags, namesDogs: Bool) -> String {
    let facts = byNumber.map { Self.facts(of: $0, tags: tags) }
    let common = facts[0].filter { fact in facts.allSatisfy { $0.contains(fact) } }
    var parts = namesDogs ? [sentenceList(dogNames)] : []
    parts += common.isEmpty ? [] : [common.joined(separator: ", ")]
    let notes = byNumber.map { $0.note ?? "" }
    let hasOneNote = notes.allSatisfy { $0 == notes[0] }
    for (walk, facts) in zip(byNumber, facts) where walks.count > 1 {
      var own = facts.filter { !common.contains($0) }
      if !hasOneNote, let note = walk.note, !note.isEmpty { own.append(note) }
      if !own.isEmpty { parts.append("\(walk.shownDogName): \(own.joined(separator: ", "))") }
    }
    if hasOneNote, !notes[0].isEmpty { parts.append(notes[0]) }
    return parts.joined(separator: "; ")
  }

  /// Returns the values of a walk other than its dog, its time and its note.
  private static func facts(of walk: Walk, tags: WalkTags) -> [String] {
    var facts: [String] = []
    if let metres = walk.metres { facts.append(Distance(metres: metres).reading) }
    if let walker = walk.walkerName { facts.append("by \(walker.escapingControls)") }
    for (count, name) in [(walk.peeCount, "pee"), (walk.pooCount, "poo")] {
      if let count { facts.append(count == 1 ? name : "\(name) \(count)") }
    }
    return facts + tags.names(of: walk).map { "+\($0.escapingControls)" }
  }
}

import CommandLineKit
import DogWalkModel

/// An outing as people read it in one line.
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

  /// The lines that it takes in a table: one, unless its walks' numbers are far apart and many.
  var tableRows: [Outing] { numbersReading.utf8.count > 11 ? walks.map(Outing.init) : [self] }

  /// The dogs' names: `Fido and Rex`.
  var dogsReading: String {
    walks.count == 1 ? walk.shownDogName : sentenceList(dogNames)
  }

  private var dogNames: [String] { byNumber.map(\.shownDogName) }

  /// In the order of the numbers in front, which tells whose each of them is.
  private var byNumber: [Walk] { walks.sorted { $0.number < $1.number } }

  /// What else there is to say: `2.4 km, by Ana, +park; Fido: poo; rain`.
  ///
  /// What holds for all dogs comes first, then what holds for one of them, then the note.
  ///
  /// - Parameter namesDogs: Whether the names stand here, as the column has no room for them.
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

  /// What is known of a walk beside its dog, its time and its note.
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

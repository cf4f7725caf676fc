import CommandLineKit
import DogWalkModel

extension Command {
  /// `dogwalk dogs merge`: merges dogs.
  static let mergeDogs = Command(
    CommandSpecification(
      abstract: "Merge dogs: all their walks become the last one's.",
      examples: [
        .init("dogwalk dogs merge Fdio Fido", "the walks of Fdio are Fido's"),
        .init("dogwalk dogs merge Fdio Fidoo Fido", "those of both are"),
      ],
      arguments: [
        Argument(
          "NAME", help: "the dogs, the one to keep last", isRepeating: true,
          completion: .dogs)
      ],
      options: [.json],
      discussion: [
        "Walks keep their numbers. The dog that stays keeps its own target and gap. One undo takes "
          + "all of it back."
      ])
  ) { run in
    // Looked up within the writing transaction, since another command may have renamed them.
    let (stays, names, merged) = try run.log().performWriting {
      let (others, stays) = try run.operandsToMerge(
        "dog", hint: "Name two, the one to keep last: \(run.call) dogs merge Fdio Fido"
      ) { try run.dogs(named: [$0])[0] }
      let names = others.map(\.shownName)
      return (stays, names, try run.log().merge(others, into: stays))
    }
    run.hasChanged = true
    try run.report([stays]) { dog in
      "Merged \(sentenceList(names)) into \(dog.shownName): "
        + "\(merged.walks) \(merged.walks == 1 ? "walk" : "walks").  Undo: \(run.call) undo"
    }
    guard !merged.twins.isEmpty else { return }
    let isOne = merged.twins.count == 1
    let numbers = merged.twins.map { String($0) }
    try run.note(
      "Note: \(isOne ? "1 walk is" : "\(numbers.count) walks are") there twice now, as the dogs went "
        + "together. If \(isOne ? "that is" : "those are") too many: \(run.call) delete "
        + TypedWords.text(of: numbers))
  }
}

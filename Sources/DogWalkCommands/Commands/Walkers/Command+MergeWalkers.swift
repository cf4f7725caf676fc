import CommandLineKit
import DogWalkModel

extension Command {
  /// `dogwalk walkers merge`: merges walkers.
  static let mergeWalkers = Command(
    CommandSpecification(
      abstract: "Merge walkers: all their walks become the last one's.",
      examples: [
        .init("dogwalk walkers merge Mum Ana", "Mum's walks are Ana's"),
        .init("dogwalk walkers merge Mum Mama Ana", "those of both are"),
      ],
      arguments: [
        Argument(
          "NAME", help: "the walkers, the one to keep last", isRepeating: true,
          completion: .walkers)
      ],
      options: [.json],
      discussion: ["Walks keep their numbers. One undo takes all of it back."])
  ) { run in
    // Looked up within the writing transaction, since another command may have renamed them.
    let (stays, names, count) = try run.log().performWriting {
      let walkers = try run.log().walkers()
      let (others, stays) = try run.operandsToMerge(
        "walker", hint: "Name two, the one to keep last: \(run.call) walkers merge Mum Ana"
      ) { try run.walker(named: $0, among: walkers) }
      return (stays, others.map(\.name), try run.log().merge(others, into: stays))
    }
    run.hasChanged = true
    if run.values.contains(.json) {
      return try run.writeJSON(WalkerTally.all(in: run).filter { $0.walker === stays })
    }
    try run.say(
      "Merged \(sentenceList(names)) into \(stays.name.escapingControls): "
        + "\(count) \(count == 1 ? "walk" : "walks").  Undo: \(run.call) undo")
  }
}

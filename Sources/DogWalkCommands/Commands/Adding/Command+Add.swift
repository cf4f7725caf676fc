import CommandLineKit
import DogWalkModel

extension Command {
  /// `dogwalk add`: adds a walk.
  static let add = Command(
    CommandSpecification(
      abstract: "Add a walk.",
      examples: [
        .init("dogwalk add Fido 35m", "35 minutes that ended just now"),
        .init("dogwalk add Fido Rex 1h15 mon 7:30", "both dogs, last Monday from 7:30 on"),
        .init(
          "dogwalk add yesterday 18:00-18:40 by Ana +park",
          "a walk of the current dog, with a tag"),
        .init("dogwalk add --dog Luna --gpx walk.gpx", "a new dog's walk, from a GPX track"),
      ],
      arguments: [
        Argument(
          "WORDS", help: "dogs, a length, a time and a distance, in any order", isRequired: false,
          isRepeating: true, completion: .dogsAndTags)
      ],
      options: [.dog, .duration, .at, .distance, .note, .by, .pee, .poo, .tag, .gpx, .new, .json],
      discussion: [
        "Without a time, the walk ended just now. Without a dog, it is the current "
          + "dog's: $DOGWALK_DOG, else the one chosen with dogwalk dogs use, else the only "
          + "one there is.",
        "A length is 35m, 1h15, 1.5h or half an hour; a time 18:00, 7pm, yesterday "
          + "18:00, last tuesday 8:00 or 2h ago; 18:00-18:40 and 18:00-now are both. 2.4km is "
          + "a distance, and so is 800m beside a length. The words for, at, with and and are optional; "
          + "by Ana is --by Ana.",
        "A GPX file may contain several walks: each track is one, and a gap of half an "
          + "hour between two points, or one at midnight, begins another. A walk that was already added from the "
          + "same file is not added again.",
        "A word names an existing dog; --dog makes a new one with any name, and the "
          + "first dog needs no option. A dog whose name is also a time, like Mon, needs "
          + "--dog.",
      ])
  ) { run in
    let request = try AddRequest(run)
    let added = try run.logForAdding().add(request.drafts, to: request.dogs)
    run.hasChanged = !added.walks.isEmpty
    try AddReport(added: added, request: request, run: run).write()
  }
}

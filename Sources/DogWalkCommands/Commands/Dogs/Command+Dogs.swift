import DogWalkModel

extension Command {
  /// `dogwalk dogs`: shows how every dog stands.
  static let dogs = Command(
    CommandSpecification(
      name: "dogs",
      abstract: "Show every dog and its last walk.",
      examples: [
        .init("dogwalk dogs", "when each dog was out last"),
        .init("dogwalk dogs --json", "the same for a program"),
        .init("dogwalk dogs use Rex", "from now on dogwalk add means Rex"),
      ],
      options: [.json],
      discussion: [
        "The current dog, which dogwalk add means where no dog is named, has a star where there are "
          + "several."
      ]),
    subcommands: [.useDog]
  ) { run in
    let standings = try DogStanding.all(in: run)
    if run.values.contains(.json) {
      try DogStanding.writeJSON(standings, run)
    } else {
      try DogStanding.writeTable(standings, run)
    }
    if standings.isEmpty {
      try run.note("No dogs yet. The first walk makes one: dogwalk add Fido 35m")
    }
  }

  /// `dogwalk dogs use`: chooses the current dog.
  static let useDog = Command(
    CommandSpecification(
      name: "use",
      abstract: "Choose the current dog: the one that dogwalk add means where none is named.",
      examples: [
        .init("dogwalk dogs use Rex", "from now on dogwalk add 20m is a walk of Rex")
      ],
      arguments: [Argument("NAME", help: "the dog's name", completion: .dogs)])
  ) { run in
    for dog in try run.dogs(named: run.values.operands) {
      try run.log().choose(dog)
      run.hasChanged = true
      let name = dog.name.escapingControls
      try run.say("\(name) is the current dog now.")
    }
    if let other = run.environment.nonEmpty("DOGWALK_DOG") {
      try run.note(
        "Note: DOGWALK_DOG is set, and goes before it: \(other.escapingControls).")
    }
  }
}

import CommandLineKit
import DogWalkModel

extension Command {
  /// `dogwalk dogs add`: adds dogs.
  static let addDog = Command(
    CommandSpecification(
      abstract: "Add a dog; adding the first walk of a new dog does so, too.",
      examples: [
        .init("dogwalk dogs add Luna", "a new dog"),
        .init(
          "dogwalk dogs add Luna --target 45m --gap 6h", "with a daily target and a longest gap"),
      ],
      arguments: [Argument("NAME", help: "the dog's name", isRepeating: true)],
      options: [.target, .gap, .new, .json])
  ) { run in
    let goals = try DogGoals(run.values)
    let known = KnownNames(run)
    var names: [String] = []
    for typed in run.values.operands {
      let name = try TypedText.name(typed, of: "a dog")
      if let dog = try run.log().dog(named: name) {
        throw Complaint(alreadyThere: dog, call: run.call)
      }
      if !run.values.contains(.new) {
        guard WalkWords.isTime(name) || !WalkWords.hides(name) else {
          throw ValidationError(
            "\(ValidationError.quoted(name)) is a duration",
            hint: "Write --target \(name) for minutes a day; a dog of that name needs --new.")
        }
      }
      try known.refuseSlip(in: name, isNew: run.values.contains(.new), isOperand: true)
      names.append(name)
    }
    let log = try run.logForAdding()
    let dogs = try log.performWriting {
      // Another command may have added one since.
      if let dog = try names.lazy.compactMap({ try log.dog(named: $0) }).first {
        throw Complaint(alreadyThere: dog, call: run.call)
      }
      return try log.addDogs(named: names) { goals.set(on: $0) }
    }
    run.hasChanged = true
    try run.report(dogs) { dog in
      let goals = DogGoals.shortReading(of: dog)
      return "New dog: \(dog.name.escapingControls)\(goals.isEmpty ? "" : ", \(goals)")."
    }
    for dog in dogs { try run.noteHiding(dog.name) }
    // Words that are one name may lack its quotes.
    if names.count > 1, !names.contains(where: \.hasWhitespace), !run.values.contains(.quiet) {
      let count = names.count == 2 ? "two" : "\(names.count)"
      try run.note(
        "Note: these are \(count) dogs. For one: \(run.call) dogs add "
          + [TypedWords.text(of: names)].shellOperands)
    }
  }

  /// `dogwalk dogs rename`: renames a dog.
  static let renameDog = Command(
    CommandSpecification(
      abstract: "Rename a dog; it keeps its walks.",
      examples: [
        .init("dogwalk dogs rename Fido Shep", "Fido is called Shep now"),
        .init("dogwalk dogs rename shep 'Old Shep'", "quotes for a name with a space"),
      ],
      arguments: [
        Argument("OLD", help: "the dog's name", completion: .dogs),
        Argument("NEW", help: "its new name"),
      ],
      options: [.json], surplusHint: "A name with spaces needs quotes: \"Old Fido\".")
  ) { run in
    let name = try TypedText.name(run.values.operands[1], of: "a dog")
    // In one transaction, so that two concurrent renames report each other's names and not a
    // conflict.
    let (dog, old) = try run.log().performWriting {
      let dog = try run.dogs(named: [run.values.operands[0]])[0]
      if let other = try run.log().dog(named: name), other !== dog {
        throw Complaint(
          .no, "there is a dog \(ValidationError.quoted(other.name)) already",
          hint: "To make one dog of both: \(run.call) dogs merge "
            + [dog.name, other.name].shellOperands)
      }
      let old = dog.name
      dog.name = name
      dog.nameKey = NameKey.of(name)
      try run.log().save()
      return (dog, old)
    }
    run.hasChanged = old != name
    try run.report([dog]) { dog in
      let new = dog.name.escapingControls
      return run.hasChanged
        ? "Renamed \(old.escapingControls) to \(new)\(new.last == "." ? "" : ".")"
        : "\(new) is its name already."
    }
    try run.noteHiding(name)
  }

  /// `dogwalk dogs set`: sets a dog's target and gap.
  static let setDog = Command(
    CommandSpecification(
      abstract: "Set how long a dog should walk a day, and how long it may be in.",
      examples: [
        .init("dogwalk dogs set Fido --target 60m", "an hour a day"),
        .init("dogwalk dogs set Fido --gap 8h", "overdue if it was in for longer"),
        .init("dogwalk dogs set Fido --target= --gap=", "neither of them any more"),
      ],
      arguments: [Argument("NAME", help: "the dog's name", isRepeating: true, completion: .dogs)],
      options: [.target, .gap, .json])
  ) { run in
    let goals = try DogGoals(run.values)
    guard !goals.isEmpty else {
      throw ValidationError(
        "there is nothing to set", hint: "Write --target 60m or --gap 8h after the name.")
    }
    let dogs = try run.log().performWriting {
      let dogs = try run.dogs(named: run.values.operands)
      for dog in dogs { goals.set(on: dog) }
      try run.log().save()
      return dogs
    }
    run.hasChanged = true
    try run.report(dogs) { "\($0.name.escapingControls): \(DogGoals.reading(of: $0))." }
  }

  /// `dogwalk dogs use`: chooses the current dog.
  static let useDog = Command(
    CommandSpecification(
      abstract: "Choose the current dog, which dogwalk add uses if none is named.",
      examples: [
        .init("dogwalk dogs use Rex", "from now on dogwalk add 20m is a walk of Rex"),
        .init("dogwalk dogs use 'Old Shep'", "quotes for a name with a space"),
      ],
      arguments: [Argument("NAME", help: "the dog's name", completion: .dogs)],
      options: [.json])
  ) { run in
    let dogs = try run.log().performWriting {
      let dogs = try run.dogs(named: run.values.operands)
      try run.log().choose(dogs[0])
      return dogs
    }
    run.hasChanged = true
    try run.report(dogs) { "\($0.name.escapingControls) is the current dog now." }
    if let other = run.environment.nonEmpty("DOGWALK_DOG") {
      try run.note(
        "Note: DOGWALK_DOG is set, and takes precedence: \(other.escapingControls).")
    }
  }
}

extension CommandRun {
  /// Prints what was done to dogs: their state with `--json`, else a line for each.
  func report(_ dogs: [Dog], line: (Dog) -> String) throws {
    if values.contains(.json) {
      let statuses = try DogStatus.all(of: dogs, areAll: false, in: self)
      try DogStatus.writeJSON(statuses, self)
    } else {
      for dog in dogs { try say(line(dog)) }
    }
  }
}

extension Complaint {
  /// Creates the complaint that a name is already used.
  fileprivate init(alreadyThere dog: Dog, call: String) {
    self.init(
      .no, "there is a dog \(ValidationError.quoted(dog.name)) already",
      hint: "Choose another name, or see \(call) dogs.")
  }
}

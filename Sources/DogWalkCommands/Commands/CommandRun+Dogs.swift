import CommandLineKit
import DogWalkModel

extension KnownNames {
  /// The dogs and walkers in the store of a run, which is opened when they are asked for.
  init(_ run: CommandRun, makesNew: Bool = true) {
    self.init(
      makesNew: makesNew, options: run.optionNames, words: run.words, call: run.call,
      dog: { try run.log().dog(named: $0)?.name },
      dogs: { try run.log().dogs().map(\.name) },
      walkers: { try run.log().walkers().map(\.name) },
      tags: { try run.log().tagNames() })
  }
}

extension CommandRun {
  /// The name of the dog that is meant where none is named; `nil` where that is open.
  ///
  /// `DOGWALK_DOG`, else the one that was chosen, else the only one there is.
  ///
  /// - Parameter dogs: All dogs, where they have been read.
  func currentDogName(among dogs: [Dog]? = nil) throws -> String? {
    if let name = environment.nonEmpty("DOGWALK_DOG") {
      do {
        return try TypedText.name(name, of: "a dog")
      } catch {
        throw ValidationError("DOGWALK_DOG: \(error.message)")
      }
    }
    if let dog = try log().chosenDog() { return dog.name }
    let dogs = try dogs ?? log().dogs()
    return dogs.count == 1 ? dogs[0].name : nil
  }

  /// The names of the dogs that the words of a command and its `--dog` mean; else the current
  /// dog's.
  ///
  /// A dog of that name may not be there yet.
  ///
  /// - Throws: `ValidationError` where a name is a slip, or none is given and it is open whose walk
  ///   it was.
  func dogNames(_ words: WalkWords) throws -> [String] {
    var names: [String] = []
    for name in words.dogs { names.append(try TypedText.name(name, of: "a dog")) }
    let known = KnownNames(self)
    for typed in values.all(.dog) {
      let name = try TypedText.name(typed, of: "a dog")
      try known.refuseSlip(in: name, isNew: values.contains(.new))
      names.append(name)
    }
    return names.isEmpty ? [try currentDogNameForAdding()] : names
  }

  private func currentDogNameForAdding() throws -> String {
    if let name = try currentDogName() {
      try KnownNames(self).refuseSlip(in: name, isNew: values.contains(.new))
      return name
    }
    let names = try log().dogs().map(\.name)
    // With no dog at all, the tutorial's first one.
    guard let first = names.first else { return "Fido" }
    throw ValidationError(
      "whose walk was it? There are \(sentenceList(names)). Name one, or choose one for good: "
        + "\(call) dogs use \([first].shellOperands)")
  }

  /// The dogs of some names.
  ///
  /// - Throws: `Complaint` with the nearest name where there is no such dog.
  func dogs(named names: [String]) throws -> [Dog] {
    var found: [Dog] = []
    for name in names {
      let dog = try dog(named: name) {
        Complaint(noDog: name, of: values.operands, among: $0, call: call)
      }
      if !found.contains(dog) { found.append(dog) }
    }
    return found
  }

  /// The dog of a name.
  ///
  /// - Parameter complaint: Says that there is none, by the names of all that there are.
  func dog(
    named name: String, else complaint: (_ names: [String]) throws -> any Error
  ) throws -> Dog {
    if let dog = try log().dog(named: name) { return dog }
    // Another command may have made it since: the complaint rests on one list.
    let dogs = try log().dogs()
    let key = NameKey.of(name)
    if let dog = dogs.first(where: { NameKey.of($0.name) == key }) { return dog }
    throw try complaint(dogs.map(\.name))
  }
}

extension CommandRun {
  /// Says of a new name what else it means among the words of `dogwalk add`, as Mon does.
  func noteHiding(_ name: String) throws {
    guard WalkWords.hides(name) else { return }
    let meaning = WalkWords.isTime(name) ? "time" : "duration"
    try note(
      "Note: \(name.escapingControls) is also a \(meaning). "
        + "Write \(name.shellValue(of: "dog")) for the dog.")
  }
}

extension Complaint {
  /// The complaint that there is no dog of a name, with the one that was most likely meant.
  ///
  /// - Parameters:
  ///   - words: The words among which it stands, which may be a name together.
  ///   - call: What the commands begin with that are proposed.
  init(noDog name: String, of words: [String], among names: [String], call: String) {
    self.init(
      no: "dog", named: name, of: words, among: names,
      none: "There are no dogs yet: \(call) add Fido 35m makes one.")
  }
}

/// Names as a sentence lists them: `Fido, Luna and Rex`; of very many only the first.
func sentenceList(_ names: [String]) -> String {
  let most = 12
  var shown = names.prefix(most).map(\.escapingControls)
  if names.count > most { shown.append("\(names.count - most) more") }
  guard let last = shown.popLast() else { return "" }
  return shown.isEmpty ? last : "\(shown.joined(separator: ", ")) and \(last)"
}

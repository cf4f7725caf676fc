import CommandLineKit
import DogWalkModel

extension KnownNames {
  /// Creates the names of the dogs and walkers in a run's store, which is opened on first access.
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
  /// Returns the dog to use if none is named; `nil` if that is ambiguous.
  ///
  /// This is `DOGWALK_DOG`, else the chosen dog, else the only dog.
  ///
  /// - Parameter dogs: All dogs, if they have already been read.
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

  /// Returns the dogs that a command's words and its `--dog` name; else the current dog.
  ///
  /// A dog of such a name need not exist yet.
  ///
  /// - Throws: `ValidationError` if a name looks like a typing error, or if none is given and the
  ///   dog is ambiguous.
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
    // Without any dog, the first one of the tutorial.
    guard let first = names.first else { return "Fido" }
    throw ValidationError(
      "whose walk was it? There are \(sentenceList(names)). Name one, or choose the current dog: "
        + "\(call) dogs use \([first].shellOperands)")
  }

  /// Returns the dogs with some names.
  ///
  /// - Throws: `Complaint` with the nearest name if there is no such dog.
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

  /// Returns the dog with a name.
  ///
  /// - Parameter complaint: Creates the error that there is none, from the names of all dogs.
  func dog(
    named name: String, else complaint: (_ names: [String]) throws -> any Error
  ) throws -> Dog {
    if let dog = try log().dog(named: name) { return dog }
    // Another command may have added it since; the dog and the complaint use the same list.
    let dogs = try log().dogs()
    let key = NameKey.of(name)
    if let dog = dogs.first(where: { NameKey.of($0.name) == key }) { return dog }
    throw try complaint(dogs.map(\.name))
  }
}

extension CommandRun {
  /// Notes that a new name also means something else to `dogwalk add`, as "Mon" and "By" do.
  func noteHiding(_ name: String) throws {
    guard let meaning = WalkWords.otherMeaning(of: name) else { return }
    try note(
      "Note: \(name.escapingControls) is also \(meaning). "
        + "Write \(name.shellValue(of: "dog")) for the dog.")
  }
}

extension Complaint {
  /// Creates the complaint that there is no dog of a name, with the most likely one as a hint.
  ///
  /// - Parameters:
  ///   - words: The words that contain the name; several of them may form one name.
  ///   - call: How the program is called in the commands that hints suggest.
  init(noDog name: String, of words: [String], among names: [String], call: String) {
    self.init(
      no: "dog", named: name, of: words, among: names,
      none: "There are no dogs yet: \(call) add Fido 35m makes one.")
  }
}

/// Returns names as a sentence lists them: `Fido, Luna and Rex`; of more than twelve, the first.
func sentenceList(_ names: [String]) -> String {
  let most = 12
  var shown = names.prefix(most).map(\.escapingControls)
  if names.count > most { shown.append("\(names.count - most) more") }
  guard let last = shown.popLast() else { return "" }
  return shown.isEmpty ? last : "\(shown.joined(separator: ", ")) and \(last)"
}

import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// Whose a walk of a file is.
extension WalkRecordReader {
  /// A dog that a file calls otherwise than it is called here.
  struct OtherName {
    /// Its name here.
    let name: String
    /// Its name in the file.
    let nameInFile: String
  }

  /// The dog of a walk, and the names of the tags beside it.
  ///
  /// It is the dog that it names. Programs that keep no dogs have projects and lists of tags: then
  /// it is the project, else the tag that is a dog's name, or is alone. With `--dog` only a project
  /// or a tag that is a dog's name counts, and it is that dog where there is none.
  mutating func dog(
    of walk: WrittenWalk
  ) throws(ValidationError) -> (dog: String, tags: [String]) {
    var tags = try tags(walk)
    if let typed = try text(walk, .dog) { return (try name(typed, of: "a dog"), tags) }
    if let project = try text(walk, .project), rules.dog == nil || isDog(project) {
      return (try name(project, of: "a dog"), tags)
    }
    let index: Int?
    if let dog = rules.dog {
      guard case .texts? = walk[.tags] else { return (dog, tags) }
      let key = NameKey.of(dog)
      index = tags.firstIndex { NameKey.of($0) == key } ?? tags.firstIndex(where: isDog)
      guard index != nil else { return (dog, tags) }
    } else {
      index = tags.firstIndex(where: isDog) ?? (tags.count == 1 ? 0 : nil)
    }
    guard let index else {
      throw ValidationError(
        tags.isEmpty
          ? "it has no dog"
          : "none of its tags \(sentenceList(tags)) is a dog: say whose it is with --dog")
    }
    return (tags.remove(at: index), tags)
  }

  private func isDog(_ name: String) -> Bool { (try? rules.isDog(name)) ?? false }

  /// The identifier of the dog that it names.
  ///
  /// A dog that is called otherwise here was renamed since, here or elsewhere; but a name that is
  /// another dog's was written beside an identifier that was forgotten.
  ///
  /// - Throws: `ValidationError` where name and identifier are two dogs'.
  mutating func dogUUID(_ walk: WrittenWalk) throws(ValidationError) -> UUID? {
    guard let uuid = try uuid(walk, .dogUUID), let dog = try text(walk, .dog) else {
      return try uuid(walk, .dogUUID)
    }
    guard checkedDogs[uuid] != dog else { return uuid }
    let key = NameKey.of(dog)
    let known = (try? rules.dogNames()) ?? [:]
    let isAnother: Bool
    if let name = known[uuid] {
      isAnother = NameKey.of(name) != key && known.values.contains { NameKey.of($0) == key }
    } else {
      isAnother = checkedDogs[uuid].map { NameKey.of($0) != key } ?? false
    }
    guard !isAnother else {
      let other = known[uuid] ?? checkedDogs[uuid] ?? ""
      throw ValidationError(
        "its dog is \(dog.escapingControls), and its dog_uuid is \(other.escapingControls)'s: to "
          + "make it \(dog.escapingControls)'s, empty its dog_uuid")
    }
    if let name = known[uuid], NameKey.of(name) != key, otherNames[uuid] == nil {
      otherNames[uuid] = OtherName(name: name, nameInFile: dog)
    }
    if known[uuid] != nil || checkedDogs[uuid] == nil { checkedDogs[uuid] = dog }
    return uuid
  }

  /// The identifier of a frame of Watson's, which is a UUID without its dashes.
  static func watsonUUID(_ walk: WrittenWalk) -> UUID? {
    guard walk[.project] != nil, case .text(let id)? = walk[.id], id.utf8.count == 32 else {
      return nil
    }
    var text = ""
    for (index, character) in id.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(character)
    }
    return UUID(text: text)
  }
}

import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The dogs of walks in a file.
extension WalkRecordReader {
  /// A dog with another name in the file than here.
  struct OtherName {
    /// The name here.
    let name: String
    /// The name in the file.
    let nameInFile: String
  }

  /// Returns the dogs of a walk, and its tags.
  ///
  /// The walk may name its dog. Programs without dogs have projects and lists of tags: then the
  /// dogs are the project and each tag that is a dog's name, or a single tag if there are no dogs
  /// yet. With such tags, a project that is not a dog's name is a tag. With `--dog`, only a project
  /// or tags that are dogs' names count, else the dog of that option.
  mutating func dogs(
    of walk: WrittenWalk
  ) throws(ValidationError) -> (dogs: [String], tags: [String]) {
    let tags = try tags(walk)
    if let typed = try text(walk, .dog) { return ([try name(typed, of: "a dog")], tags) }
    var dogs: [String] = []
    var others: [String] = []
    if let project = try text(walk, .project), rules.dog == nil || isDog(project) {
      if isDog(project) || !tags.contains(where: isDog) {
        dogs.append(try name(project, of: "a dog"))
      } else {
        others.append(try name(project, of: "a tag"))
      }
    }
    if rules.dog != nil, !Self.hasList(walk) {
      others = tags
    } else {
      for tag in tags {
        guard isDog(tag) else {
          others.append(tag)
          continue
        }
        let key = NameKey.of(tag)
        if !dogs.contains(where: { NameKey.of($0) == key }) { dogs.append(tag) }
      }
    }
    if !dogs.isEmpty { return (dogs, others) }
    if let dog = rules.dog { return ([dog], tags) }
    guard tags.count == 1 else {
      throw ValidationError(
        tags.isEmpty
          ? "it has no dog"
          : "none of its tags \(sentenceList(tags)) is a dog: say whose it is with --dog")
    }
    // As with the words of `add`, a name alone only creates the first dog.
    guard !hasDogs else {
      throw ValidationError(
        "its tag \(sentenceList(tags)) is no dog: make it one with \(rules.call) dogs add "
          + "\(tags.shellOperands), or say whose it is with --dog")
    }
    return (tags, [])
  }

  private static func hasList(_ walk: WrittenWalk) -> Bool {
    if case .texts? = walk[.tags] { true } else { false }
  }

  /// Returns whether a name is an existing dog's or that of `--dog`.
  private func isDog(_ name: String) -> Bool {
    if let dog = rules.dog, NameKey.of(dog) == NameKey.of(name) { return true }
    return (try? rules.isDog(name)) ?? false
  }

  private var hasDogs: Bool { (try? rules.hasDogs()) ?? false }

  /// Returns the identifier of a walk's dog.
  ///
  /// A dog with another name here was renamed on one side; but if the name belongs to another dog,
  /// the identifier was most likely left unchanged by mistake.
  ///
  /// - Throws: `ValidationError` if name and identifier belong to different dogs.
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

  /// Returns the identifier of a Watson frame, which is a UUID without hyphens.
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

  /// Returns an identifier for one dog's share of a walk of several dogs, the same in every import.
  static func uuid(_ uuid: UUID, sharedBy dog: String) -> UUID {
    var bytes = uuid.uuid
    let hash = FNV1a(NameKey.of(dog)).value
    withUnsafeMutableBytes(of: &bytes) { bytes in
      // The preceding bytes contain the version and variant of the UUID.
      for index in 9..<16 { bytes[index] ^= UInt8(truncatingIfNeeded: hash >> ((index - 9) * 8)) }
    }
    return UUID(uuid: bytes)
  }
}

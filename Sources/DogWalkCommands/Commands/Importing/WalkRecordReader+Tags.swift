import CommandLineKit
import DataFormats
import DogWalkModel

/// The tags of walks in a file.
extension WalkRecordReader {
  /// Returns the tags, from a list or from a text.
  mutating func tags(_ walk: WrittenWalk) throws(ValidationError) -> [String] {
    let typed: [String]
    if case .texts(let texts)? = walk[.tags] {
      typed = texts
    } else {
      typed = try text(walk, .tags).map { TypedTags.names(inField: $0, isKnown: isTag) } ?? []
    }
    var tags: [String] = []
    for tag in typed { tags.append(try name(tag, of: "a tag")) }
    return tags
  }

  private func isTag(_ name: String) -> Bool {
    guard let known = try? rules.tagNames() else { return false }
    return KnownNames.name(name, among: known) != nil
  }

  /// Returns the tag for a name: an existing tag of that name, else the name with hyphens for
  /// spaces.
  mutating func tag(of name: String) -> String {
    if let tag = tags[name] { return tag }
    let word = TypedTags.word(name)
    var tag = word
    if word.contains("-"), let known = try? rules.tagNames() {
      let key = NameKey.of(word)
      tag =
        KnownNames.name(name, among: known) ?? KnownNames.name(word, among: known)
        ?? known.first { NameKey.of(TypedTags.word($0)) == key } ?? word
    }
    tags[name] = tag
    return tag
  }
}

import CommandLineKit
import DataFormats
import DogWalkModel

extension Command {
  /// `dogwalk tag rename`: renames a tag.
  static let renameTag = Command(
    CommandSpecification(
      abstract: "Rename a tag, on all walks.",
      examples: [
        .init("dogwalk tag rename +park +wood", "what was +park is +wood from now on"),
        .init("dogwalk tag rename +wood +Wood", "the same tag, written with a capital"),
      ],
      arguments: [
        Argument("OLD", help: "the tag", completion: .tags),
        Argument("NEW", help: "its new name"),
      ],
      options: [.json], surplusHint: "A tag is one word, as in +dog-park.")
  ) { run in
    let name = try TypedTags.newName(run.values.operands[1])
    // Looked up within the writing transaction, since another command may have renamed it.
    let (tag, old) = try run.log().performWriting {
      let tags = try run.log().tagCounts().map(\.tag)
      let tag = try run.tag(named: run.values.operands[0], among: tags)
      let key = NameKey.of(name)
      if let other = tags.first(where: { NameKey.of($0.name) == key }), other !== tag {
        throw Complaint(
          .no, "there is a tag \(ValidationError.quoted("+\(other.name)")) already",
          hint: "To make one tag of both: \(run.call) tag merge "
            + ["+\(tag.name)", "+\(other.name)"].shellOperands)
      }
      let old = tag.name
      return (try run.log().rename(tag, to: name), old)
    }
    run.hasChanged = old != name
    if run.values.contains(.json) { return try run.writeJSON(of: tag) }
    let new = "+\(name.escapingControls)"
    try run.say(
      run.hasChanged
        ? "Renamed +\(old.escapingControls) to \(new)\(new.last == "." ? "" : ".")"
        : "\(new) is the name already.")
  }

  /// `dogwalk tag merge`: merges tags.
  static let mergeTags = Command(
    CommandSpecification(
      abstract: "Merge tags: all their walks get the last one.",
      examples: [
        .init("dogwalk tag merge +prak +park", "what was +prak is +park"),
        .init("dogwalk tag merge +prak +parc +park", "and +parc too"),
      ],
      arguments: [
        Argument(
          "TAG", help: "the tags, the one to keep last", isRepeating: true,
          completion: .tags)
      ],
      options: [.json],
      discussion: ["One undo takes all of it back."])
  ) { run in
    let (stays, names, count) = try run.log().performWriting {
      let tags = try run.log().tagCounts().map(\.tag)
      let (others, stays) = try run.operandsToMerge(
        "tag", hint: "Name two, the one to keep last: \(run.call) tag merge +prak +park"
      ) { try run.tag(named: $0, among: tags) }
      let names = others.map { "+\($0.name)" }
      return (stays, names, try run.log().merge(others, into: stays))
    }
    run.hasChanged = true
    if run.values.contains(.json) { return try run.writeJSON(of: stays) }
    try run.say(
      "Merged \(sentenceList(names)) into +\(stays.name.escapingControls): "
        + "\(count) \(count == 1 ? "walk" : "walks").  Undo: \(run.call) undo")
  }
}

extension CommandRun {
  /// Writes tags with the numbers of their walks, for programs.
  func writeJSON(_ tags: [(tag: Tag, walks: Int)]) throws {
    try writeDocument("tags", of: tags) { json, element in
      json.member("tag", element.tag.name)
      json.member("walks", element.walks)
    }
  }

  /// Writes a single tag in this way.
  fileprivate func writeJSON(of tag: Tag) throws {
    try writeJSON(log().tagCounts().filter { $0.tag === tag })
  }

  /// Returns the tag with a name, in any spelling, with or without its `+`.
  ///
  /// - Throws: `Complaint` with the most likely name if there is none.
  fileprivate func tag(named typed: String, among tags: [Tag]) throws -> Tag {
    let name = try TypedTags.name(typed)
    let key = NameKey.of(name)
    if let tag = tags.first(where: { NameKey.of($0.name) == key }) { return tag }
    throw Complaint(
      no: "tag", named: name, among: tags.map(\.name), mark: "+", none: "No walk has a tag yet.")
  }
}

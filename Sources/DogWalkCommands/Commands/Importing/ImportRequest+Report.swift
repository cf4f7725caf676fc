import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The answer of `dogwalk import`.
extension ImportRequest {
  /// Prints the result; with a preview, walk by walk what would have been imported.
  func report(_ merged: WalkLog.Merged, preview: ImportPreview? = nil) throws {
    if run.values.contains(.json) {
      var json = JSONWriter()
      json.object { json in
        json.member("schema", 1)
        if preview != nil { json.member("dry_run", true) }
        json.member("new", merged.new)
        json.member("changed", merged.changed)
        json.member("known", merged.known)
        json.member("kept", merged.keptNumbers.count + merged.gone.count)
        json.member("left_out", leftOut.count)
      }
      json.endLine()
      try json.drain(into: run.output)
    } else if let preview {
      try preview.write()
      try run.note(Self.conditional(merged))
    } else {
      try run.say(sentence(merged))
      try list(merged.changedNumbers) { "Changed walk \($0): \($1)." }
    }
    try noteKept(merged)
    for line in otherNames.values.sorted(byName: \.self) { try run.note(line) }
    for line in lengths.prefix(Self.most) { try run.note(line) }
    if lengths.count > Self.most {
      try run.note("Likewise of \(lengths.count - Self.most) more.")
    }
    if let preview {
      try preview.writeNotes()
    } else {
      try noteOverlaps(merged)
      try noteLengths(merged)
    }
    for line in leftOut + remedies { try run.note(line) }
  }

  /// The maximum number of walks that are listed individually.
  private static let most = 10

  /// Lists walks if they are few.
  private func list(_ numbers: [Int64], _ sentence: (Int64, String) -> String) throws {
    guard numbers.count <= Self.most else { return }
    let now = try run.clock().now
    for walk in try run.log().walks(numbered: numbers).found {
      try run.say(
        sentence(walk.number, walk.reading(walk.start(in: run.zone).fullReading(now: now))))
    }
  }

  /// Notes the walks that were kept since they are not as they were when the file was exported.
  private func noteKept(_ merged: WalkLog.Merged) throws {
    let now = try run.clock().now
    let (kept, gone) = (merged.keptNumbers, merged.gone)
    guard !kept.isEmpty || !gone.isEmpty else { return }
    if kept.count > Self.most {
      try run.note(
        "\(kept.count) walks stay as they are here, since they were different at the export.")
    } else {
      for walk in try run.log().walks(numbered: kept).found {
        let start = walk.start(in: run.zone).fullReading(now: now)
        try run.note(
          "Walk \(walk.number) stays as it is here, since it was different at the export: \(walk.reading(start))."
        )
      }
    }
    if gone.count > Self.most {
      try run.note(
        "\(gone.count) walks were not added, since it seems that they were deleted here.")
    } else {
      for walk in gone {
        let start = Moment(date: walk.draft.start, utcOffset: walk.draft.utcOffset)
        try run.note(
          "A walk was not added, since it seems that it was deleted here: \(walk.dog.escapingControls), "
            + "\(start.fullReading(now: now)).")
      }
    }
    // The same command, but not as a dry run.
    try run.note(
      "To use the file's values anyway: "
        + run.call(adding: "--overwrite", without: .dryRun))
  }

  /// Notes new walks that overlap walks of the same dog.
  private func noteOverlaps(_ merged: WalkLog.Merged) throws {
    guard let first = merged.overlappingNumbers.first,
      let walk = try run.log().walk(numbered: first)
    else { return }
    let numbers = merged.overlappingNumbers.map { String($0) }
    let count = merged.overlapping
    let text =
      count == 1
      ? "Note: walk \(first) overlaps another walk of the same dog"
      : count == numbers.count
        ? "Note: walks \(sentenceList(numbers)) overlap other walks of the same dog"
        : "Note: \(count) new walks overlap other walks of the same dog, "
          + "\(sentenceList(numbers)) among them"
    var words = ["\(run.call) list"]
    if let dog = walk.dog { words.append(dog.name.shellValue(of: "dog")) }
    if let start = walk.start(in: run.zone) { words.append("\(start.day)") }
    try run.note(
      "\(text). \(count == 1 ? "To see both" : "To see the first"): "
        + words.joined(separator: " "))
  }

  /// Notes new walks that are long, like `add`.
  private func noteLengths(_ merged: WalkLog.Merged) throws {
    guard let first = merged.longNumbers.first else { return }
    if merged.long == 1 {
      let walks = try run.log().walks(numbered: [first]).found
      return try run.noteLength(of: walks, remedy: "edit", " 35m")
    }
    let numbers = merged.longNumbers.map { String($0) }
    let usual = Duration.seconds(CommandRun.longestUsual).reading
    let text =
      merged.long == numbers.count
      ? "Note: walks \(sentenceList(numbers)) are longer than \(usual)"
      : "Note: \(merged.long) of the new walks are longer than \(usual), walks "
        + "\(sentenceList(numbers)) among them"
    try run.note("\(text). To see the first: \(run.call) show \(first)")
  }

  private static func conditional(_ merged: WalkLog.Merged) -> String {
    let kept = merged.keptNumbers.count + merged.gone.count
    let count = merged.new + merged.changed + merged.known + kept
    guard count > 0 else { return "There is no walk to import." }
    return
      "\(count) \(count == 1 ? "walk" : "walks"): \(merged.new) new, \(merged.changed) to change, "
      + "\(merged.known) already there\(kept > 0 ? ", \(kept) to keep as here" : "").\(newNames(merged)) "
      + "Nothing was imported: this was a dry run."
  }

  private func sentence(_ merged: WalkLog.Merged) -> String {
    let kept = merged.keptNumbers.count + merged.gone.count
    let count = merged.new + merged.changed + merged.known + kept
    guard count > 0 else { return "There was no walk to import." }
    if kept > 0, merged.new + merged.changed == 0 { return "Nothing was imported." }
    guard merged.new + merged.changed > 0 else {
      return count == 1
        ? "Nothing new: the walk already exists."
        : "Nothing new: all \(count) walks already exist."
    }
    var text = "Imported \(count) \(count == 1 ? "walk" : "walks"): \(merged.new) new, "
    text += "\(merged.changed) changed, \(merged.known) already there"
    text += kept > 0 ? ", \(kept) kept as here." : "."
    return text + Self.newNames(merged) + "  Undo: \(run.call) undo"
  }

  private static func newNames(_ merged: WalkLog.Merged) -> String {
    CommandRun.newNames(
      dogs: merged.newDogs, walkers: merged.newWalkers, tags: merged.newTags)
  }
}

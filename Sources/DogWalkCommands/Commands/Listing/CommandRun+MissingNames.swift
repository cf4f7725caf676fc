import CommandLineKit
import DogWalkModel

extension CommandRun {
  /// Returns hints about tags and a walker for which no walks were found, a sentence each.
  ///
  /// A hint contains the most likely name, else all names; there is none for a name that walks
  /// have.
  ///
  ///     try run.hints(aboutTags: ["parc"])   // ["Did you mean +park?"]
  func hints(aboutTags names: [String], walker: String? = nil) throws -> [String] {
    var hints: [String] = []
    if !names.isEmpty {
      // Only tags with walks, like the list of `dogwalk tag`.
      let tags = try log().tagCounts().map(\.tag.name)
      hints += names.compactMap { name in
        Self.hint(about: name, among: tags, "tag", mark: "+")
      }
    }
    if let walker {
      let walkers = try log().walkers().map(\.name)
      let exists = KnownNames.name(walker, among: walkers) != nil
      if !exists, optionNames.contains("by-\(walker.lowercased())") {
        return hints + ["Did you mean --by-\(walker.lowercased())?"]
      }
      if let hint = Self.hint(about: walker, among: walkers, "walker") { hints.append(hint) }
    }
    return hints
  }

  private static func hint(
    about name: String, among names: [String], _ kind: String, mark: String = ""
  ) -> String? {
    guard KnownNames.name(name, among: names) == nil else { return nil }
    guard !names.isEmpty else { return "No walk has a \(kind) yet." }
    if let near = KnownNames.near(name, among: names) {
      return "Did you mean \((mark + near).shellWord)?"
    }
    let known = sentenceList(names.map { mark + $0 })
    return "There is no \(kind) \(mark)\(name.escapingControls); there "
      + "\(names.count == 1 ? "is" : "are") \(known)."
  }
}

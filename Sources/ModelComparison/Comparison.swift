import DataModel

/// Two of a kind, and what differs of the aspects that were looked at.
///
///     var comparison = Comparison(dog, walk)
///     comparison.note("abstract", \.isAbstract)
///     comparison.changes.isEmpty   // true
struct Comparison<Description> {
  private(set) var changes: [ModelDifference.Change] = []
  private let old: Description
  private let new: Description
  private let hash: ((Description) -> [UInt8])?

  /// - Parameter hash: what of it goes into a version hash; nil where nothing does.
  init(_ old: Description, _ new: Description, hash: ((Description) -> [UInt8])? = nil) {
    self.old = old
    self.new = new
    self.hash = hash
  }

  /// Looks at one aspect, with the text that tells of it.
  ///
  /// It moves the version hash where it would if nothing else were changed.
  mutating func note<Value: Equatable>(
    _ aspect: String, _ path: WritableKeyPath<Description, Value>, text: (Value) -> String?
  ) {
    guard old[keyPath: path] != new[keyPath: path] else { return }
    var changed = old
    changed[keyPath: path] = new[keyPath: path]
    changes.append(
      ModelDifference.Change(
        kind: .changed, aspect: aspect, old: text(old[keyPath: path]),
        new: text(new[keyPath: path]),
        movesVersionHash: hash.map { $0(changed) != $0(old) } ?? false
      ))
  }

  /// Looks at something that is yes or no.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, Bool>) {
    note(aspect, path) { $0 ? "yes" : "no" }
  }

  /// Looks at a text.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, String?>) {
    note(aspect, path) { $0 }
  }

  /// Looks at a value.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, AttributeValue?>) {
    note(aspect, path) { $0?.reading }
  }

  /// Looks at what the developer noted.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, [String: String]>) {
    note(aspect, path) { notes in
      let texts = notes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
  }

  /// Looks at something that no version hash has a part in, by the text that tells of it.
  mutating func note(_ aspect: String, as text: (Description) -> String?) {
    let (before, now) = (text(old), text(new))
    guard before != now else { return }
    changes.append(
      ModelDifference.Change(kind: .changed, aspect: aspect, old: before, new: now))
  }
}

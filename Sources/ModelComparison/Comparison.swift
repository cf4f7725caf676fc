import DataModel

/// Two items of the same kind, and the differences in the aspects that were compared.
///
///     var comparison = Comparison(dog, walk)
///     comparison.note("abstract", \.isAbstract)
///     comparison.changes.isEmpty   // true
struct Comparison<Description> {
  private(set) var changes: [ModelDifference.Change] = []
  private let old: Description
  private let new: Description
  private let hash: ((Description) -> [UInt8])?

  /// - Parameter hash: returns the item's contribution to a version hash; nil if there is none.
  init(_ old: Description, _ new: Description, hash: ((Description) -> [UInt8])? = nil) {
    self.old = old
    self.new = new
    self.hash = hash
  }

  /// Compares an aspect with a textual form.
  ///
  /// Whether it changes the version hash is determined as if nothing else had changed.
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

  /// Compares a Boolean value.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, Bool>) {
    note(aspect, path) { $0 ? "yes" : "no" }
  }

  /// Compares a text.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, String?>) {
    note(aspect, path) { $0 }
  }

  /// Compares a value.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, AttributeValue?>) {
    note(aspect, path) { $0?.reading }
  }

  /// Compares the developer's `userInfo`.
  mutating func note(_ aspect: String, _ path: WritableKeyPath<Description, [String: String]>) {
    note(aspect, path) { notes in
      let texts = notes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
  }

  /// Compares an aspect outside the version hash by its textual form.
  mutating func note(_ aspect: String, as text: (Description) -> String?) {
    let (before, now) = (text(old), text(new))
    guard before != now else { return }
    changes.append(
      ModelDifference.Change(kind: .changed, aspect: aspect, old: before, new: now))
  }
}

/// A call in the written Swift, as pieces that can be laid out on one line or on several.
struct SwiftCall: Sendable {
  /// What stands before the arguments, the opening bracket included.
  var head: String
  /// The arguments with their labels; those that are the default are left out.
  var arguments: [String] = []
  /// What stands behind the arguments.
  var closing: String

  /// Adds an argument that is Swift already.
  mutating func add(_ label: String, code: String) {
    arguments.append("\(label): \(code)")
  }

  /// Adds a text; none for nil.
  mutating func add(_ label: String, _ text: String?) {
    if let text { add(label, code: SwiftLiteral.string(text)) }
  }

  /// Adds a flag; none for false, which is every flag's default.
  mutating func add(_ label: String, _ flag: Bool) {
    if flag { add(label, code: "true") }
  }

  /// Adds texts by name; none for none.
  mutating func add(_ label: String, _ texts: [String: String]) {
    if texts.isEmpty { return }
    let entries = texts.sorted { $0.key < $1.key }
      .map { "\(SwiftLiteral.string($0.key)): \(SwiftLiteral.string($0.value))" }
    add(label, code: "[" + entries.joined(separator: ", ") + "]")
  }

  /// The call on one line.
  var oneLine: String { head + arguments.joined(separator: ", ") + closing }
}

/// A call in the generated Swift, in parts that can be formatted on one line or on several.
struct SwiftCall: Sendable {
  /// The text before the arguments, including the opening parenthesis.
  var head: String
  /// The arguments with their labels, without those that have the default value.
  var arguments: [String] = []
  /// The text after the arguments.
  var closing: String

  /// Adds an argument given as Swift code.
  mutating func add(_ label: String, code: String) {
    arguments.append("\(label): \(code)")
  }

  /// Adds a string argument, unless it is nil.
  mutating func add(_ label: String, _ text: String?) {
    if let text { add(label, code: SwiftLiteral.string(text)) }
  }

  /// Adds a Boolean argument, unless it is false, which is always the default.
  mutating func add(_ label: String, _ flag: Bool) {
    if flag { add(label, code: "true") }
  }

  /// Adds a dictionary of strings, unless it is empty.
  mutating func add(_ label: String, _ texts: [String: String]) {
    if texts.isEmpty { return }
    let entries = texts.sorted { $0.key < $1.key }
      .map { "\(SwiftLiteral.string($0.key)): \(SwiftLiteral.string($0.value))" }
    add(label, code: "[" + entries.joined(separator: ", ") + "]")
  }

  /// The call on one line.
  var oneLine: String { head + arguments.joined(separator: ", ") + closing }
}

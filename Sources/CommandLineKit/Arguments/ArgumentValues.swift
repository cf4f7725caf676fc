/// The words that were typed, by option and in order: values as text, not parsed yet.
///
///     values[.note]          // "rain", or nil
///     values.all(.dog)       // ["Fido", "Rex"]
///     values.contains(.json) // true if --json was given
///     values.operands        // the words without dashes
package struct ArgumentValues: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    let option: String
    let value: String?
    /// The number of operands before it.
    let operandCount: Int
  }

  private var entries: [Entry] = []

  /// The operands, in order.
  package var operands: [String] = []

  /// Creates the values of an empty command line.
  package init() {}

  /// Adds an option with its value, if it has one.
  package mutating func append(_ value: String?, for option: Option) {
    entries.append(Entry(option: option.name, value: value, operandCount: operands.count))
  }

  /// Whether an option was given, with a value or without.
  package func contains(_ option: Option) -> Bool {
    entries.contains { $0.option == option.name }
  }

  /// The value of an option; `nil` if it was not given or has none.
  package subscript(option: Option) -> String? {
    entries.last { $0.option == option.name }?.value
  }

  /// All values of a repeating option, in order.
  package func all(_ option: Option) -> [String] {
    entries.compactMap { $0.option == option.name ? $0.value : nil }
  }

  /// All values of a repeating option, including operands that count as its values, in the order in
  /// which they were typed.
  ///
  ///     values.all(.dog) { $0.hasPrefix("R") }   // of Rex --dog Fido Rover: all three
  package func all(_ option: Option, or isMore: (_ operand: String) -> Bool) -> [String] {
    var found: [String] = []
    var rest = operands[...]
    for entry in entries where entry.option == option.name {
      let before = rest.prefix(max(0, entry.operandCount - rest.startIndex))
      found += before.filter(isMore)
      rest = rest.dropFirst(before.count)
      if let value = entry.value { found.append(value) }
    }
    return found + rest.filter(isMore)
  }

  /// The options among some that were given, in the order of the list.
  package func given(among options: [Option]) -> [Option] {
    options.filter(contains)
  }
}

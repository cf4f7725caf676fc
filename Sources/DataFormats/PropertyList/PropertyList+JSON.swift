import SystemLibraries

/// The representation of property lists in JSON: a value that JSON cannot represent is an object
/// with a single member, named after the kind of the value.
///
/// ```text
/// { "base64": "AQID" }                    // data
/// { "date": "2026-11-21T09:00:00Z" }      // a date; a number where no calendar shows it
/// { "real": "Infinity" }                  // a number that JSON has no digits for; "NaN"
/// { "uid": 7 }                            // the number of an object in a keyed archive
/// { "dictionary": [ "date", "today" ] }   // a dictionary that looks like one of these
/// ```
///
/// Integers have no decimal point, other numbers have one.
extension PropertyList {
  /// The names that stand for kinds of values.
  private static let kinds: Set<String> = ["base64", "date", "real", "uid", "dictionary"]

  // MARK: Writing

  /// Appends the list, with a line for each member.
  ///
  /// - Parameter indentation: the number of spaces before the line on which it begins.
  package func appendJSON(to text: inout [UInt8], indentation: Int) {
    func lines(_ brackets: (String, String), _ count: Int, _ body: (Int) -> Void) {
      text.append(brackets.0)
      for index in 0..<count {
        text.append(index == 0 ? "\n" : ",\n")
        text.append(contentsOf: repeatElement(0x20, count: indentation + 2))
        body(index)
      }
      text.append(ascii: "\n")
      text.append(contentsOf: repeatElement(0x20, count: indentation))
      text.append(brackets.1)
    }
    switch self {
    case .dictionary(let entries) where entries.isEmpty: text.append("{}")
    case .dictionary(let entries):
      if entries.count == 1, let (name, value) = entries.first, Self.kinds.contains(name) {
        text.append("{ \"dictionary\": ")
        PropertyList.array([.string(name), value]).appendJSON(to: &text, indentation: indentation)
        text.append(" }")
        return
      }
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      lines(("{", "}"), sorted.count) { index in
        text.append(json: sorted[index].key)
        text.append(": ")
        sorted[index].value.appendJSON(to: &text, indentation: indentation + 2)
      }
    case .array(let members) where members.isEmpty: text.append("[]")
    case .array(let members):
      lines(("[", "]"), members.count) { index in
        members[index].appendJSON(to: &text, indentation: indentation + 2)
      }
    case .string(let value): text.append(json: value)
    case .integer(let number): text.append("\(number)")
    case .unsignedInteger(let number): text.append("\(number)")
    case .real(let number) where number.isFinite: text.append(number.description)
    case .real(let number):
      text.append("{ \"real\": ")
      text.append(json: number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
      text.append(" }")
    case .boolean(let flag): text.append(flag ? "true" : "false")
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      text.append("{ \"date\": ")
      if let instant = InstantText.text(of: seconds) {
        text.append(json: instant)
      } else if seconds.isFinite {
        text.append(seconds.description)
      } else {
        text.append(json: seconds.isNaN ? "NaN" : seconds < 0 ? "-Infinity" : "Infinity")
      }
      text.append(" }")
    case .data(let data):
      text.append("{ \"base64\": \"")
      text.append(contentsOf: data.base64EncodedData())
      text.append("\" }")
    case .uid(let number): text.append("{ \"uid\": \(number) }")
    }
  }

  // MARK: Reading

  /// Parses the next value; null is not allowed.
  ///
  /// - Throws: `DataError` if it is not valid JSON, or does not represent a value.
  package init(_ json: inout JSONReader) throws(DataError) {
    switch try json.next() {
    case .string: self = .string(try json.string())
    case .boolean: self = .boolean(try json.boolean())
    case .number: self = try Self.number(&json)
    case .null: throw json.error("metadata cannot contain null")
    case .array:
      var members: [PropertyList] = []
      try json.beginArray()
      while try json.nextElement() { members.append(try PropertyList(&json)) }
      self = .array(members)
    case .object:
      var entries: [String: PropertyList] = [:]
      try json.beginObject()
      while let name = try json.nextName() {
        let position = json.namePosition
        guard entries.updateValue(try PropertyList(&json), forKey: name) == nil else {
          throw json.error("\"\(name)\" occurs twice", at: position)
        }
      }
      guard entries.count == 1, let (name, value) = entries.first, Self.kinds.contains(name) else {
        self = .dictionary(entries)
        return
      }
      guard let meant = value.meant(by: name) else {
        throw json.error("this is not a value of the kind \"\(name)\"")
      }
      self = meant
    }
  }

  private static func number(_ json: inout JSONReader) throws(DataError) -> PropertyList {
    let text = try json.numberText()
    if text.utf8.allSatisfy({ $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }) {
      if let number = Int64(text) { return .integer(number) }
      if let number = UInt64(text) { return .unsignedInteger(number) }
    }
    guard let number = Double(text), number.isFinite else {
      throw json.error("a number is too large")
    }
    return .real(number)
  }

  /// The value that this one represents under the name of a kind; nil if it represents none.
  private func meant(by kind: String) -> PropertyList? {
    switch (kind, self) {
    case ("base64", .string(let text)): Data(base64Encoded: text).map { .data($0) }
    case ("date", .string(let text)):
      (InstantText.seconds(of: text) ?? Self.unspelled(text)).map {
        .date(Date(timeIntervalSinceReferenceDate: $0))
      }
    case ("date", .real(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case ("real", .string(let text)): Self.unspelled(text).map { .real($0) }
    case ("uid", .integer(let number)): UInt64(exactly: number).map { .uid($0) }
    case ("uid", .unsignedInteger(let number)): .uid(number)
    case ("dictionary", .array(let entry)):
      if entry.count == 2, case .string(let name) = entry[0] {
        .dictionary([name: entry[1]])
      } else {
        nil
      }
    default: nil
    }
  }
}

extension JSONWriter {
  /// Writes a property list in the format of documents, with a line for each member.
  ///
  /// - Parameter indentation: the number of spaces before the line on which it begins.
  package mutating func value(_ list: PropertyList, indentation: Int) {
    raw { list.appendJSON(to: &$0, indentation: indentation) }
  }
}

extension PropertyList {
  /// The number for a text that JSON has no digits for.
  fileprivate static func unspelled(_ text: String) -> Double? {
    switch text {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }
}

import DogWalkModel

/// A walk as it stands in a file, not understood yet.
struct WrittenWalk {
  /// What a file can say, by the names of `--json` and `--csv`.
  enum Field: String, CaseIterable {
    case id, uuid, dog, start, end, minutes, metres, note, by, pee, poo, ongoing, tags
    case dogUUID = "dog_uuid"
    case track, version
    // What other programs call so, and what spreadsheets have.
    case project, stop, annotation, duration, distance, kilometres, miles
  }

  /// A value, as far as the file's form tells what it is.
  enum Value {
    /// `null`, or an empty field.
    case none
    case text(String)
    case number(Double)
    case boolean(Bool)
    case texts([String])
    case track(TrackPoints)
  }

  /// The line of the file at which it begins.
  let line: Int
  /// The line at which it ends, as far as the file's form tells.
  let lastLine: Int
  /// By the index of the field; nil where the file does not speak of it.
  private var values: [Value?]

  /// A walk of which nothing is known.
  init(line: Int, to lastLine: Int? = nil) {
    self.line = line
    self.lastLine = lastLine ?? line
    values = Array(repeating: nil, count: Field.allCases.count)
  }

  subscript(field: Field) -> Value? {
    get { values[field.index] }
    set { values[field.index] = newValue }
  }
}

extension WrittenWalk.Field {
  /// Whether its value is a number, perhaps with a unit.
  var isNumber: Bool {
    [.minutes, .metres, .pee, .poo, .duration, .distance, .kilometres, .miles].contains(self)
  }

  /// What a text of the field says: white space around it says nothing, but in a note.
  func text(_ written: String) -> String {
    switch self {
    case .note, .annotation: return written
    default: break
    }
    // Most have none, as their first and last bytes tell.
    guard let first = written.utf8.first, let last = written.utf8.last,
      !(0x21..<0x7F).contains(first) || !(0x21..<0x7F).contains(last)
    else { return written }
    var text = written[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The index among all fields.
  var index: Int {
    switch self {
    case .id: 0
    case .uuid: 1
    case .dog: 2
    case .start: 3
    case .end: 4
    case .minutes: 5
    case .metres: 6
    case .note: 7
    case .by: 8
    case .pee: 9
    case .poo: 10
    case .ongoing: 11
    case .tags: 12
    case .dogUUID: 13
    case .track: 14
    case .project: 15
    case .stop: 16
    case .annotation: 17
    case .duration: 18
    case .distance: 19
    case .kilometres: 20
    case .miles: 21
    case .version: 22
    }
  }
}

@available(*, unavailable)
extension WrittenWalk: Sendable {}

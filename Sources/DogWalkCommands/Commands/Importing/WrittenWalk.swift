import DogWalkModel

/// A walk as written in a file, before it is interpreted.
struct WrittenWalk {
  /// The fields of a file, by their names in `--json` and `--csv`.
  enum Field: String, CaseIterable {
    case id, uuid, dog, start, end, minutes, metres, note, by, pee, poo, ongoing, tags
    case dogUUID = "dog_uuid"
    case track, version
    // Fields of other programs and of spreadsheets.
    case project, stop, annotation, duration, distance, kilometres, miles
  }

  /// A value, with the type that the file's format provides.
  enum Value {
    /// `null`, or an empty field.
    case none
    case text(String)
    case number(Double)
    case boolean(Bool)
    case texts([String])
    case track(TrackPoints)
  }

  /// The line on which the walk begins.
  let line: Int
  /// The line on which it ends, if the file's format provides it.
  let lastLine: Int
  /// By the index of the field; nil if the file does not contain it.
  private var values: [Value?]

  /// Creates a walk without values.
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
  /// Whether its value is a number, possibly with a unit.
  var isNumber: Bool {
    [.minutes, .metres, .pee, .poo, .duration, .distance, .kilometres, .miles].contains(self)
  }

  /// Returns the text without surrounding white space, unless the field is a note.
  func text(_ written: String) -> String {
    switch self {
    case .note, .annotation: return written
    default: break
    }
    // The first and last bytes show quickly that most texts have none.
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

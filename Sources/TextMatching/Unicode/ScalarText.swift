/// A sequence of scalars whose marks are put into canonical order.
struct ScalarText {
  static let firstLetterWhoseMarksCount: UInt32 = 0x510

  private(set) var scalars: [UInt32] = []
  /// The marks since the last letter, with their combining classes.
  private var marks: [(class: UInt8, scalar: UInt32)] = []

  init(capacity: Int) { scalars.reserveCapacity(capacity) }

  mutating func append(_ scalar: UInt32) {
    let order = ScalarData.markClass(scalar) ?? 0
    guard order != 0 else {
      finish()
      return scalars.append(scalar)
    }
    // Mostly there are few; a long sequence is sorted in `finish`.
    marks.append((order, scalar))
  }

  /// Appends the marks after the letter.
  mutating func finish() {
    if marks.count > 1 {
      // The standard library's sort is stable, as required: marks of one class keep their order.
      marks.sort { $0.class < $1.class }
    }
    for mark in marks { scalars.append(mark.scalar) }
    marks.removeAll(keepingCapacity: true)
  }

  /// Composes letters and marks if there is a single scalar for them: NFD becomes NFC.
  ///
  /// Call it after `finish`. Source: The Unicode Standard 3.11, definition D117.
  mutating func compose() {
    var composed: [UInt32] = []
    composed.reserveCapacity(scalars.count)
    var starter: Int?
    var lastClass: UInt8 = 0
    for scalar in scalars {
      let order = ScalarData.markClass(scalar) ?? 0
      if let starter, lastClass == 0 || lastClass < order,
        let whole = ScalarData.compose(composed[starter], scalar)
      {
        composed[starter] = whole
        continue
      }
      if order == 0 { starter = composed.count }
      lastClass = order
      composed.append(scalar)
    }
    scalars = composed
  }

  func utf8(withoutMarks: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count)
    var isOnLetter = false
    for scalar in scalars {
      if withoutMarks {
        let isMark = ScalarData.markClass(scalar) != nil
        if isMark, isOnLetter { continue }
        if !isMark { isOnLetter = scalar < Self.firstLetterWhoseMarksCount }
      }
      UTF8Reader.append(scalar, to: &bytes)
    }
    return bytes
  }
}

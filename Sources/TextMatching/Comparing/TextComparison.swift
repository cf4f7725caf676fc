/// Compares bytewise, like SQLite's BINARY: negative, zero or positive.
@inlinable
package func compareBytes(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
  let count = min(one.count, other.count)
  var index = 0
  while index < count {
    if one[index] != other[index] { return one[index] < other[index] ? -1 : 1 }
    index += 1
  }
  return one.count - other.count
}

/// Compares two texts under options: negative, zero or positive.
///
/// The same order as comparing the bytes of folded texts. Comparing ASCII texts allocates nothing.
package func compareTexts(
  _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, _ options: TextOptions
) -> Int {
  let options = options.effective
  guard !options.isEmpty else { return compareBytes(one, other) }
  let foldsCase = options.contains(.caseInsensitive)
  let count = min(one.count, other.count)
  var index = 0
  while index < count {
    var (first, second) = (one[index], other[index])
    guard (first | second) < 0x80 else { break }
    if foldsCase {
      if first &- 0x41 < 26 { first |= 0x20 }
      if second &- 0x41 < 26 { second |= 0x20 }
    }
    if first != second { return first < second ? -1 : 1 }
    index += 1
  }
  let rests = (one.count - index, other.count - index)
  if rests.0 == 0, rests.1 == 0 { return 0 }
  if rests.0 == 0, other[index] < 0x80 { return -1 }
  if rests.1 == 0, one[index] < 0x80 { return 1 }
  // Continues one letter earlier, since marks belong to the letter before them.
  index = max(0, index - 1)
  return TextFolding.fold(UnsafeRawBufferPointer(rebasing: one[index...]), options)
    .withUnsafeBytes { folded in
      TextFolding.fold(UnsafeRawBufferPointer(rebasing: other[index...]), options)
        .withUnsafeBytes { compareBytes(folded, $0) }
    }
}

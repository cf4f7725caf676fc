/// Whether two names differ by a single typing error.
///
///     isOneSlip(from: "Fdio", to: "Fido")   // true: two neighbours swapped
///
/// A typing error inserts, omits or replaces one character, or swaps two neighbours. Case and
/// Unicode form are ignored, so two spellings of one name do not differ at all. O(length).
///
/// - Parameter key: maps all spellings of one name to the same text.
package func isOneSlip(
  from name: String, to other: String, by key: (String) -> String = { $0.lowercased() }
) -> Bool {
  editDistance(Array(key(name)), Array(key(other)), atMost: 1) == 1
}

/// Returns the candidate that a misspelt word most likely stands for, or nil if none is similar.
///
///     nearest(to: "lsit", among: ["add", "list", "delete"])   // "list"
///
/// That is the first candidate with the fewest typing errors: at most two, and fewer than half of
/// the word's characters. Case and Unicode form are ignored.
///
/// - Parameter key: maps all spellings of one name to the same text.
package func nearest(
  to word: String, among candidates: some Sequence<String>,
  by key: (String) -> String = { $0.lowercased() }
) -> String? {
  let wanted = Array(key(word))
  var nearest: String?
  var limit = min(2, (wanted.count + 1) / 2 - 1)
  for candidate in candidates where limit >= 0 {
    guard let distance = editDistance(wanted, Array(key(candidate)), atMost: limit) else {
      continue
    }
    nearest = candidate
    limit = distance - 1
  }
  return nearest
}

/// Counts the edits between two sequences of characters; nil for more than `limit`.
///
/// The optimal string alignment distance: no character is edited twice. Only cells within `limit`
/// of the diagonal are computed, so the time is O(length · limit).
private func editDistance(
  _ source: [Character], _ target: [Character], atMost limit: Int
) -> Int? {
  guard abs(source.count - target.count) <= limit else { return nil }
  let far = limit + 1
  // The distances between prefixes: rows for the source, columns for the target.
  var current = (0...target.count).map { min($0, far) }
  var (previous, beforePrevious) = (current, current)
  for row in 1..<source.count + 1 {
    (beforePrevious, previous, current) = (previous, current, beforePrevious)
    let band = max(1, row - limit)..<min(target.count, row + limit) + 1
    current[band.lowerBound - 1] = band.lowerBound == 1 ? min(row, far) : far
    for index in band {
      let isSame = source[row - 1] == target[index - 1]
      // Cells outside of the previous row's band still contain `far` from the first row.
      var distance = min(previous[index], current[index - 1]) + 1
      distance = min(distance, previous[index - 1] + (isSame ? 0 : 1))
      if row > 1, index > 1, source[row - 1] == target[index - 2],
        source[row - 2] == target[index - 1]
      {
        distance = min(distance, beforePrevious[index - 2] + 1)
      }
      current[index] = min(distance, far)
    }
  }
  return current[target.count] <= limit ? current[target.count] : nil
}

/// The permanent keys that a save gave, by the temporary ones.
///
/// Temporary keys count down, so those of one save mostly lie close together, and one is found by
/// its distance from the highest; where other contexts' keys stand between them, by halves.
struct PermanentKeys {
  private let highest: Int64
  /// The temporary keys, rising; empty where they lie close together.
  private let scattered: ContiguousArray<Int64>
  /// The permanent key of each; 0 where none was given yet.
  private var permanent: ContiguousArray<Int64>

  /// Makes room for the keys of some inserts; those that have permanent ones already need none.
  init(for inserts: ContiguousArray<SaveRequest.Insert>) {
    self.init(for: inserts.lazy.map(\.temporaryKey))
  }

  /// Makes room for the keys of some objects.
  init(for temporaryKeys: some Collection<Int64>) {
    var highest = Int64.min
    var lowest = Int64.max
    var count: Int64 = 0
    for key in temporaryKeys where key < 0 {
      highest = max(highest, key)
      lowest = min(lowest, key)
      count += 1
    }
    self.highest = highest
    let span = count == 0 ? 0 : highest - lowest + 1
    if span <= count * 4 + 1024 {
      scattered = []
      permanent = ContiguousArray(repeating: 0, count: Int(span))
    } else {
      scattered = ContiguousArray(temporaryKeys.filter { $0 < 0 }.sorted())
      permanent = ContiguousArray(repeating: 0, count: scattered.count)
    }
  }

  /// The permanent key of a temporary one, or nil where this save has not given one.
  ///
  /// - Precondition: one that is set belongs to a temporary key for which there is room.
  subscript(temporary: Int64) -> Int64? {
    get {
      guard let index = index(of: temporary) else { return nil }
      let key = permanent[index]
      return key == 0 ? nil : key
    }
    set {
      guard let index = index(of: temporary) else {
        fatalError("There is no room for \(temporary).")
      }
      permanent[index] = newValue ?? 0
    }
  }

  /// The temporary keys that have got permanent ones, each with that.
  var given: [(temporary: Int64, permanent: Int64)] {
    permanent.indices.compactMap { index in
      guard permanent[index] != 0 else { return nil }
      let temporary = scattered.isEmpty ? highest - Int64(index) : scattered[index]
      return (temporary: temporary, permanent: permanent[index])
    }
  }

  private func index(of temporary: Int64) -> Int? {
    // Permanent keys are asked for too, and are above every temporary one.
    guard temporary <= highest else { return nil }
    if scattered.isEmpty {
      let index = highest - temporary
      return index < permanent.count ? Int(index) : nil
    }
    var range = scattered.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if scattered[middle] == temporary { return middle }
      range =
        scattered[middle] < temporary
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

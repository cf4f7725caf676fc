/// The permanent keys that a save assigned, by temporary key.
///
/// Temporary keys count down, so those of one save are mostly consecutive, and the index is the
/// distance from the highest; if other contexts' keys lie between them, a binary search is used.
struct PermanentKeys {
  private let highest: Int64
  /// The temporary keys in ascending order; empty if they are mostly consecutive.
  private let scattered: ContiguousArray<Int64>
  /// The permanent key of each; 0 if none is assigned yet.
  private var permanent: ContiguousArray<Int64>

  /// Reserves room for the keys of inserts; those that already have permanent keys need none.
  init(for inserts: ContiguousArray<SaveRequest.Insert>) {
    self.init(for: inserts.lazy.map(\.temporaryKey))
  }

  /// Reserves room for the keys of objects.
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

  /// The permanent key for a temporary one; nil if this save has not assigned one.
  ///
  /// - Precondition: when setting, room was reserved for the temporary key.
  subscript(temporary: Int64) -> Int64? {
    get {
      guard let index = index(of: temporary) else { return nil }
      let key = permanent[index]
      return key == 0 ? nil : key
    }
    set {
      guard let index = index(of: temporary) else {
        fatalError("There is no primary key left for \(temporary).")
      }
      permanent[index] = newValue ?? 0
    }
  }

  /// The temporary keys that have permanent ones, as pairs.
  var given: [(temporary: Int64, permanent: Int64)] {
    permanent.indices.compactMap { index in
      guard permanent[index] != 0 else { return nil }
      let temporary = scattered.isEmpty ? highest - Int64(index) : scattered[index]
      return (temporary: temporary, permanent: permanent[index])
    }
  }

  private func index(of temporary: Int64) -> Int? {
    // Permanent keys are looked up too; they are above every temporary one.
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

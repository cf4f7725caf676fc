/// The permanent keys that a save gave, by the temporary ones.
///
/// Temporary keys count down, so those of one save mostly lie close together: an array then, and a
/// dictionary where other contexts' keys stand between them.
struct PermanentKeys {
  private let highest: Int64
  private var near: ContiguousArray<Int64>
  private var scattered: [Int64: Int64] = [:]

  /// Makes room for the keys of some inserts; those that have permanent ones already need none.
  init(for inserts: ContiguousArray<SaveRequest.Insert>) {
    self.init(for: inserts.lazy.map(\.temporaryKey))
  }

  /// Makes room for the keys of some objects.
  init(for temporaryKeys: some Sequence<Int64>) {
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
    near = span <= count * 4 + 1024 ? ContiguousArray(repeating: 0, count: Int(span)) : []
  }

  /// The permanent key of a temporary one, or nil where this save has not given one.
  subscript(temporary: Int64) -> Int64? {
    get {
      // Permanent keys are asked for too, and are above every temporary one.
      guard temporary <= highest else { return nil }
      guard !near.isEmpty else { return scattered[temporary] }
      let index = highest - temporary
      guard index < near.count else { return nil }
      let key = near[Int(index)]
      return key == 0 ? nil : key
    }
    set {
      if near.isEmpty {
        scattered[temporary] = newValue
      } else {
        near[Int(highest - temporary)] = newValue ?? 0
      }
    }
  }
}

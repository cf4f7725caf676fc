import CBaseline

/// The C side of the measurements, with errors thrown.
final class Baseline {
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    var description: String { "SQLite's result code \(code) on the C side" }
  }

  private let baseline: OpaquePointer

  /// Opens a store created by the library.
  init(path: String) throws {
    var opened: OpaquePointer?
    try Self.check(cbaseline_open(path, &opened))
    guard let opened else { throw Failure(code: 0) }
    baseline = opened
  }

  deinit { cbaseline_close(baseline) }

  func insertWalks(_ walks: Int, dogs: Int) throws {
    try Self.check(cbaseline_insert_walks(baseline, Int32(walks), Int32(dogs)))
  }

  func readWalks() throws -> CBaselineSum {
    var sum = CBaselineSum()
    try Self.check(cbaseline_read_walks(baseline, &sum))
    return sum
  }

  func readWalksOneByOne(_ count: Int) throws -> CBaselineSum {
    var sum = CBaselineSum()
    try Self.check(cbaseline_read_walks_one_by_one(baseline, Int32(count), &sum))
    return sum
  }

  func readWalks(ofDog dog: Int) throws -> CBaselineSum {
    var sum = CBaselineSum()
    try Self.check(cbaseline_read_walks_of_dog(baseline, Int64(dog), &sum))
    return sum
  }

  func readWalks(ofDog dog: Int, from start: Double, to end: Double) throws -> CBaselineSum {
    var sum = CBaselineSum()
    try Self.check(cbaseline_read_walks_between(baseline, Int64(dog), start, end, &sum))
    return sum
  }

  func readWalks(from start: Double, to end: Double) throws -> CBaselineSum {
    var sum = CBaselineSum()
    try Self.check(cbaseline_read_walks_in_range(baseline, start, end, &sum))
    return sum
  }

  func readKeys(from start: Double, to end: Double) throws -> CBaselineSum {
    var sum = CBaselineSum()
    try Self.check(cbaseline_read_keys_in_range(baseline, start, end, &sum))
    return sum
  }

  /// Walks that are kept in memory as long as this object exists.
  final class Walks {
    fileprivate let rows: UnsafeMutablePointer<UnsafeMutablePointer<CBaselineWalk>?>?
    fileprivate let count: Int32

    fileprivate init(
      rows: UnsafeMutablePointer<UnsafeMutablePointer<CBaselineWalk>?>?, count: Int32
    ) {
      self.rows = rows
      self.count = count
    }

    /// Moves the walks of the first dogs to the front, and returns their number.
    func sort(dogs: Int) -> Int { Int(cbaseline_sort_walks_of_dogs(rows, count, Int32(dogs))) }

    deinit { cbaseline_free_walks(rows, count) }
  }

  func fetchWalks(limit: Int = -1, sum: inout CBaselineSum) throws -> Walks {
    var rows: UnsafeMutablePointer<UnsafeMutablePointer<CBaselineWalk>?>?
    var count: Int32 = 0
    try Self.check(cbaseline_fetch_walks(baseline, Int32(limit), &rows, &count, &sum))
    return Walks(rows: rows, count: count)
  }

  func update(_ walks: Walks, duration: Double) throws {
    try Self.check(cbaseline_update_walks(baseline, walks.rows, walks.count, duration))
  }

  func updateEveryWalk(duration: Double) throws {
    try Self.check(cbaseline_update_every_walk(baseline, duration))
  }

  func delete(_ walks: Walks, first count: Int? = nil) throws {
    try Self.check(
      cbaseline_delete_walks(baseline, walks.rows, count.map(Int32.init) ?? walks.count))
  }

  func findOrCreateDogs(_ count: Int) throws {
    try Self.check(cbaseline_find_or_create_dogs(baseline, Int32(count)))
  }

  private static func check(_ code: Int32) throws {
    if code != 0 { throw Failure(code: code) }
  }
}

/// How far a migration in place has come: of the rows that it goes through, the part that is done.
///
/// How many rows a table has is told by its highest key, so that none is counted beforehand.
final class MigrationProgress {
  private let report: (Double) -> Void
  private var total = 0.0
  private var done = 0.0
  private var end = 0.0

  /// - Parameter report: hears of the part that is done, from 0 to 1.
  init(_ report: @escaping (Double) -> Void) { self.report = report }

  /// Notes that some rows will be gone through.
  func expect(_ rows: Double) { total += rows }

  /// Begins to go through some rows that are expected.
  func begin(_ rows: Double) { end = done + rows }

  /// Notes that some of these rows are done.
  func advance(_ rows: Int) {
    done = min(done + Double(rows), end)
    report(done / max(total, 1))
  }

  /// Notes that all of these rows are done.
  func endRows() {
    done = end
    report(done / max(total, 1))
  }

  /// Notes that only the commit is left.
  func finish() { report(1) }
}

/// The progress of a migration in place: the fraction of rows that have been processed.
///
/// The number of rows of a table is estimated by its highest key, so that none is counted
/// beforehand.
final class MigrationProgress {
  private let report: (Double) -> Void
  private var total = 0.0
  private var done = 0.0
  private var end = 0.0

  /// - Parameter report: receives the completed fraction, from 0 to 1.
  init(_ report: @escaping (Double) -> Void) { self.report = report }

  /// Adds rows that will be processed.
  func expect(_ rows: Double) { total += rows }

  /// Begins to process some of the expected rows.
  func begin(_ rows: Double) { end = done + rows }

  /// Records that some of these rows are done.
  func advance(_ rows: Int) {
    done = min(done + Double(rows), end)
    report(done / max(total, 1))
  }

  /// Records that all of these rows are done.
  func endRows() {
    done = end
    report(done / max(total, 1))
  }

  /// Records that only the commit is left.
  func finish() { report(1) }
}

/// A statement of a database: its values are bound, it is run, and its rows are read in sequence.
///
/// Parameters count from 1, columns from 0.
protocol SQLStatement: AnyObject {
  func bind(_ value: Int64, at parameter: Int32)
  func bind(_ value: Double, at parameter: Int32)
  func bind(_ text: String, at parameter: Int32)
  func bind(_ bytes: [UInt8], at parameter: Int32)
  /// Binds UTF-8 text.
  func bind(text bytes: [UInt8], at parameter: Int32)
  func bindNull(at parameter: Int32)

  /// Advances to the next row; returns false when there is none.
  func step() throws -> Bool
  /// Runs a statement that returns no rows.
  func run() throws
  /// Runs a statement that returns no rows, now or together with the next one.
  ///
  /// - Parameter told: converts its error, which is thrown by whichever call runs the statement.
  func queue(_ told: @escaping (any SQLEngineError) -> any Error) throws
  /// Makes the statement ready to run again; its values stay bound.
  func reset()

  func isNull(at column: Int32) -> Bool
  func integer(at column: Int32) -> Int64
  func real(at column: Int32) -> Double
  func string(at column: Int32) -> String?
  /// The bytes of a column, or nil for NULL; valid until the next step.
  func blob(at column: Int32) -> UnsafeRawBufferPointer?
}

extension SQLStatement {
  func queue(_ told: @escaping (any SQLEngineError) -> any Error) throws {
    do {
      try run()
    } catch let error as any SQLEngineError {
      throw told(error)
    }
  }

  func queue() throws { try queue { $0 } }
}

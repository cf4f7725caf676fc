/// What predicates need of SQL that SQLite does not have: the functions that memory uses too.
extension Connection {
  /// Defines the functions, the first time that a statement needs them.
  ///
  /// - Parameter files: where large values are.
  func definePredicateFunctions(files: ExternalDataFiles) throws(SQLiteError) {
    guard functions.isEmpty else { return }
    // Z_TEXT(text, pattern, operator, options): whether an operator on texts holds.
    try define("Z_TEXT") { call in
      guard let text = call.utf8(0), call.utf8(1) != nil else { return call.result(nil) }
      let test = call.kept(1) { KeptTest(call) }
      call.result(.integer(test.test?.holds(text) == true ? 1 : 0))
    }
    // Z_COMPARE(one, other, options, isOrder): -1, 0 or 1; two missing ones are equal, yet in no
    // order.
    try define("Z_COMPARE") { call in
      switch (call.utf8(0), call.utf8(1)) {
      case (let one?, let other?):
        let options = TextOptions(rawValue: UInt8(truncatingIfNeeded: call.integer(2)))
        call.result(.integer(Int64(compareTexts(one, other, options).signum())))
      case (nil, nil): call.result(call.integer(3) == 0 ? .integer(0) : nil)
      default: call.result(nil)
      }
    }
    // Z_EXTERNAL(column): a binary value that may be in a file.
    try define("Z_EXTERNAL") { call in
      guard case .bytes(let stored)? = call[0] else { return call.result(nil) }
      stored.withUnsafeBytes { stored in
        guard let name = ExternalDataFiles.fileName(in: stored) else {
          return call.result(.bytes(Array(ExternalDataFiles.inlineValue(in: stored))))
        }
        do {
          call.result(.bytes(try files.read(name)))
        } catch {
          call.fail("the file of a large value cannot be read: \(name)")
        }
      }
    }
    for function in FetchExpression.Function.allCases where function.argumentCount > 0 {
      let isUnary = function.argumentCount == 1
      try define(function.sqlName) { call in
        call.result(ScalarFunction.apply(function, call[0], isUnary ? nil : call[1]))
      }
    }
    try defineAggregate("Z_SUM") { SQLSum { $0.sum } }
    try defineAggregate("Z_AVG") { SQLSum { $0.average } }
    try defineValueList()
  }
}

/// A test on texts that SQLite keeps from row to row; none where its pattern is wrong.
private final class KeptTest {
  let test: TextTest?

  init(_ call: SQLFunctionCall) {
    test = call.utf8(1).flatMap { pattern in
      try? TextTest(
        TextTest.operator(call.integer(2)), Array(pattern),
        TextOptions(rawValue: UInt8(truncatingIfNeeded: call.integer(3))))
    }
  }
}

/// A sum of rows.
private final class SQLSum: SQLAggregate {
  private var sum = ExactSum()
  private let result: (ExactSum) -> Scalar?

  init(_ result: @escaping (ExactSum) -> Scalar?) { self.result = result }

  func step(_ call: SQLFunctionCall) { sum.add(call[0]) }
  func finish(_ call: SQLFunctionCall) { call.result(result(sum)) }
}

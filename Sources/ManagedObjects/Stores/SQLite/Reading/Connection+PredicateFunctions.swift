import TextMatching

/// Functions for predicates that SQLite lacks, shared with evaluation in memory.
extension Connection {
  /// Defines the functions when a statement first needs them.
  ///
  /// - Parameter files: the external files of large values.
  func definePredicateFunctions(files: ExternalDataFiles) throws(SQLiteError) {
    guard functions.isEmpty else { return }
    // Z_TEXT(text, pattern, operator, options): whether a text matches by a string operator.
    try define("Z_TEXT") { call in
      guard let text = call.utf8(0), call.utf8(1) != nil else { return call.result(nil) }
      let test = call.kept(1) { KeptTest(call) }
      call.result(.integer(test.test?.holds(text) == true ? 1 : 0))
    }
    // Z_COMPARE(one, other, options, isOrder): -1, 0 or 1; two NULLs are equal, or NULL if isOrder.
    try define("Z_COMPARE") { call in
      switch (call.utf8(0), call.utf8(1)) {
      case (let one?, let other?):
        let options = TextOptions(rawValue: UInt8(truncatingIfNeeded: call.integer(2)))
        call.result(.integer(Int64(compareTexts(one, other, options).signum())))
      case (nil, nil): call.result(call.integer(3) == 0 ? .integer(0) : nil)
      default: call.result(nil)
      }
    }
    // Z_FOLD(text, options): the text folded for comparison.
    try define("Z_FOLD") { call in
      guard let text = call.utf8(0) else { return call.result(call[0]) }
      let options = TextOptions(rawValue: UInt8(truncatingIfNeeded: call.integer(1)))
      call.result(.text(TextFolding.fold(text, options)))
    }
    // Z_EXTERNAL(column): a binary value that may be in an external file.
    try define("Z_EXTERNAL") { call in
      guard case .bytes(let stored)? = call[0] else { return call.result(nil) }
      stored.withUnsafeBytes { stored in
        guard let name = ExternalDataFiles.fileName(in: stored) else {
          return call.result(.bytes(Array(ExternalDataFiles.inlineValue(in: stored))))
        }
        do {
          call.result(.bytes(try files.read(name)))
        } catch PersistentStoreError.missingExternalData {
          // The object has no value either when it is read.
          call.result(nil)
        } catch {
          call.fail("\(error)")
        }
      }
    }
    for function in FetchExpression.Function.allCases where function.argumentCount > 0 {
      let isUnary = function.argumentCount == 1
      // With more than two arguments, the function is applied from left to right.
      try define(function.sqlName) { call in
        guard !isUnary else { return call.result(ScalarFunction.apply(function, call[0], nil)) }
        var result = call[0]
        for index in 1..<max(call.count, 2) {
          result = ScalarFunction.apply(function, result, call[index])
        }
        call.result(result)
      }
    }
    for aggregate in AggregateFunction.allCases where aggregate.sqlName.hasPrefix("Z_") {
      try defineAggregate(aggregate.sqlName) { SQLFold(aggregate) }
    }
    try defineValueList()
  }
}

/// A text test that SQLite keeps from row to row; nil if its pattern is invalid.
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

/// An aggregate over the values of many rows.
private final class SQLFold: SQLAggregate {
  private var fold: AggregateFold

  init(_ aggregate: AggregateFunction) { fold = AggregateFold(aggregate) }

  func step(_ call: SQLFunctionCall) { fold.add(call[0]) }
  func finish(_ call: SQLFunctionCall) { call.result(fold.result) }
}

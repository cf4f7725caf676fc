import CSQLite

/// A function that SQL on one connection can call.
final class SQLFunction {
  fileprivate let body: (SQLFunctionCall) -> Void

  fileprivate init(_ body: @escaping (SQLFunctionCall) -> Void) { self.body = body }
}

@available(*, unavailable) extension SQLFunction: Sendable {}
@available(*, unavailable) extension SQLFunctionCall: Sendable {}

extension Connection {
  private static let functionFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY

  /// Defines a function for SQL on this connection (`sqlite3_create_function_v2`).
  ///
  /// It is deterministic, and triggers and views cannot call it (`SQLITE_DIRECTONLY`).
  func define(
    _ name: String, _ body: @escaping (SQLFunctionCall) -> Void
  ) throws(SQLiteError) {
    let function = SQLFunction(body)
    // SQLite calls it only during calls on this connection, and the connection retains it.
    functions.append(function)
    let code = sqlite3_create_function_v2(
      handle, name, -1, Self.functionFlags, Unmanaged.passUnretained(function).toOpaque(),
      { context, count, arguments in
        Unmanaged<SQLFunction>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
          .body(SQLFunctionCall(context: context!, count: count, arguments: arguments))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(connection: handle) }
  }

  /// Defines an aggregate function for SQL on this connection.
  ///
  /// - Parameter make: makes the object that collects the rows of one group.
  func defineAggregate(
    _ name: String, _ make: @escaping () -> any SQLAggregate
  ) throws(SQLiteError) {
    let maker = AggregateMaker(make)
    makers.append(maker)
    let code = sqlite3_create_function_v2(
      handle, name, -1, Self.functionFlags, Unmanaged.passUnretained(maker).toOpaque(), nil,
      { context, count, arguments in
        let state = sqlite3_aggregate_context(context, 8)!
          .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if state.pointee == nil {
          let maker = Unmanaged<AggregateMaker>.fromOpaque(sqlite3_user_data(context)!)
            .takeUnretainedValue()
          state.pointee = Unmanaged.passRetained(AggregateGroup(maker.make())).toOpaque()
        }
        Unmanaged<AggregateGroup>.fromOpaque(state.pointee!).takeUnretainedValue()
          .aggregate.step(SQLFunctionCall(context: context!, count: count, arguments: arguments))
      },
      { context in
        let call = SQLFunctionCall(context: context!)
        // Without rows no group was created.
        guard
          let pointer = sqlite3_aggregate_context(context, 0)?
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
        else {
          return Unmanaged<AggregateMaker>.fromOpaque(sqlite3_user_data(context)!)
            .takeUnretainedValue().make().finish(call)
        }
        Unmanaged<AggregateGroup>.fromOpaque(pointer).takeRetainedValue().aggregate.finish(call)
      }, nil)
    guard code == SQLITE_OK else { throw SQLiteError(connection: handle) }
  }
}

/// An aggregate that C code can hold.
private final class AggregateGroup {
  let aggregate: any SQLAggregate

  init(_ aggregate: any SQLAggregate) { self.aggregate = aggregate }
}

import CSQLite

/// A function that SQL on one connection can call.
final class SQLFunction {
  fileprivate let body: (SQLFunctionCall) -> Void

  fileprivate init(_ body: @escaping (SQLFunctionCall) -> Void) { self.body = body }
}

/// An aggregate function: called once for each row, and once more for the result.
protocol SQLAggregate: AnyObject {
  /// Processes the values of one row.
  func step(_ call: SQLFunctionCall)
  /// Returns the result through the call.
  func finish(_ call: SQLFunctionCall)
}

/// One call of a function: its arguments and its result.
struct SQLFunctionCall {
  fileprivate let context: OpaquePointer
  fileprivate let arguments: UnsafeMutablePointer<OpaquePointer?>?
  /// How many arguments there are.
  let count: Int

  fileprivate init(
    context: OpaquePointer, count: Int32 = 0,
    arguments: UnsafeMutablePointer<OpaquePointer?>? = nil
  ) {
    self.context = context
    self.count = Int(count)
    self.arguments = arguments
  }

  /// A call that only takes a result, without arguments.
  init(resultOf context: OpaquePointer) { self.init(context: context) }

  /// An argument; nil for NULL.
  subscript(index: Int) -> Scalar? {
    let value = arguments?[index]
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT: return .text(Array(utf8(index)!))  // A value of type TEXT has bytes.
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      return .bytes(
        Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
    default: return nil
    }
  }

  /// An argument as an integer.
  func integer(_ index: Int) -> Int64 { sqlite3_value_int64(arguments?[index]) }

  /// The UTF-8 of a text argument, valid during the call; nil for any other type.
  func utf8(_ index: Int) -> UnsafeRawBufferPointer? {
    let value = arguments?[index]
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
      return nil
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// An object computed from an argument and cached while that argument is the same in every row
  /// (`sqlite3_set_auxdata`).
  func kept<Made: AnyObject>(_ index: Int32, _ make: () -> Made) -> Made {
    if let pointer = sqlite3_get_auxdata(context, index) {
      return Unmanaged<Made>.fromOpaque(pointer).takeUnretainedValue()
    }
    let made = make()
    sqlite3_set_auxdata(context, index, Unmanaged.passRetained(made).toOpaque()) {
      Unmanaged<AnyObject>.fromOpaque($0!).release()
    }
    return made
  }

  /// Sets the result; nil for NULL.
  func result(_ value: Scalar?) {
    // SQLITE_TRANSIENT: "copy before returning".
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let bytes):
      // One byte more, so that an empty text has an address too and does not become NULL.
      (bytes + [0]).withUnsafeBytes {
        sqlite3_result_text64(
          context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
          transient, UInt8(SQLITE_UTF8))
      }
    case .bytes(let bytes):
      (bytes + [0]).withUnsafeBytes {
        sqlite3_result_blob64(context, $0.baseAddress, UInt64(bytes.count), transient)
      }
    case nil: sqlite3_result_null(context)
    }
  }

  /// Ends the statement with an error.
  func fail(_ message: String) { sqlite3_result_error(context, message, -1) }
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

/// A factory of aggregates that C code can hold.
final class AggregateMaker {
  fileprivate let make: () -> any SQLAggregate

  fileprivate init(_ make: @escaping () -> any SQLAggregate) { self.make = make }
}

/// An aggregate that C code can hold.
private final class AggregateGroup {
  let aggregate: any SQLAggregate

  init(_ aggregate: any SQLAggregate) { self.aggregate = aggregate }
}

@available(*, unavailable) extension AggregateMaker: Sendable {}

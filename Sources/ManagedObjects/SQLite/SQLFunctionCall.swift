import CSQLite

/// One call of a function: its arguments and its result.
struct SQLFunctionCall {
  let context: OpaquePointer
  let arguments: UnsafeMutablePointer<OpaquePointer?>?
  /// How many arguments there are.
  let count: Int

  init(
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

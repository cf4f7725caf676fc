/// Ends the process with a message if a precondition is not met.
///
///     require(!name.isEmpty, "A fetch names an entity.")
///
/// For programmers' mistakes, in debug and in release builds alike: the standard library's
/// `precondition` prints nothing in a release build. The message is evaluated only when it is
/// printed.
@inlinable @inline(__always)
package func require(
  _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  guard condition() else { fatalError(message(), file: file, line: line) }
}

/// A value to bind to a parameter.
enum SQLValue {
  case scalar(Scalar)
  case key(Int64)
  /// Text that need not be valid UTF-8: a bound for texts with a common prefix.
  case text([UInt8])
  /// Values for `Z_VALUES`: see `ValueList`.
  case list([Scalar])
}

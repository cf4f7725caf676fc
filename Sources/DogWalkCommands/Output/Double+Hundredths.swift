extension Double {
  /// The value rounded to hundredths, as for sums of minutes in output for programs.
  var hundredths: Double { (self * 100).rounded() / 100 }
}

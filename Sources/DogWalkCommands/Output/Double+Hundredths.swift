extension Double {
  /// Rounded to hundredths, as sums of minutes are told to programs.
  var hundredths: Double { (self * 100).rounded() / 100 }
}

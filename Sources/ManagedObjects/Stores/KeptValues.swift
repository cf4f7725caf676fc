/// The name of the table of kept values.
enum KeptValues {
  static let table = "MO_KEPT"
}

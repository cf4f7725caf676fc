/// How a report groups walks.
enum ReportGroup: Sendable {
  /// By dog.
  case dog
  /// By walker; an outing with several dogs is one walk.
  case walker
  /// By tag, likewise.
  case tag

  /// The name of a group in JSON and CSV.
  var name: String {
    switch self {
    case .dog: "dog"
    case .walker: "walker"
    case .tag: "tag"
    }
  }
}

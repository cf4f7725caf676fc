/// Whose walks a report counts together.
enum ReportGroup: Sendable {
  /// Those of each dog.
  case dog
  /// Those of each walker: an outing with several dogs is one walk of hers.
  case walker
  /// Those with each tag, likewise.
  case tag

  /// What one of them is called in JSON and CSV.
  var name: String {
    switch self {
    case .dog: "dog"
    case .walker: "walker"
    case .tag: "tag"
    }
  }
}

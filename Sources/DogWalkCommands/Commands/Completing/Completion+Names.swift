import CommandLineKit

/// What of a log a shell may offer.
extension Completion {
  /// The names of the dogs.
  static let dogs = Completion.custom("dogs")
  /// The names of those who walk them.
  static let walkers = Completion.custom("walkers")
  /// The IDs of recent walks.
  static let walks = Completion.custom("walks")
  /// The names of tags.
  static let tags = Completion.custom("tags")
  /// The names of the dogs, and tags with their plus sign.
  static let dogsAndTags = Completion.custom("dogs and tags")
}

import CommandLineKit

/// The kinds of values from a log that a shell can complete.
extension Completion {
  /// The names of the dogs.
  static let dogs = Completion.custom("dogs")
  /// The names of the walkers.
  static let walkers = Completion.custom("walkers")
  /// The numbers of recent walks.
  static let walks = Completion.custom("walks")
  /// The names of tags.
  static let tags = Completion.custom("tags")
  /// The names of the dogs, and tags with their plus sign.
  static let dogsAndTags = Completion.custom("dogs and tags")
  /// The numbers of recent walks, the names of the dogs, and tags with their plus sign.
  static let walksDogsAndTags = Completion.custom("walks, dogs and tags")
  /// The values of the setting that the word before names.
  static let settingValues = Completion.custom("values of a setting")
}

/// The completions that a shell may offer for a value.
package enum Completion: Hashable, Sendable {
  /// None: the value is free text.
  case nothing
  /// One of these words; the parser rejects any other.
  case choices([String])
  /// The names of the dogs.
  case dogs
  /// The names of the walkers.
  case walkers
  /// The IDs of recent walks.
  case walks
  /// The names of tags.
  case tags
  /// The names of the dogs, and tags with their plus sign.
  case dogsAndTags
  /// Files.
  case files
  /// The names of the program's commands.
  case commands
}

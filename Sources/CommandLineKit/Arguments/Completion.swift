/// What a shell may offer where a value is to be typed.
package enum Completion: Hashable, Sendable {
  /// Nothing: the value is free.
  case nothing
  /// One of these words; the parser refuses any other.
  case choices([String])
  /// The names of the dogs.
  case dogs
  /// The names of those who walk them.
  case walkers
  /// The IDs of recent walks.
  case walks
  /// The names of tags.
  case tags
  /// The names of the dogs, and tags with their plus sign.
  case dogsAndTags
  /// Files.
  case files
  /// Names of the program's own commands.
  case commands
}

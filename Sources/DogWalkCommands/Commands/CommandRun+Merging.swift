import CommandLineKit

extension CommandRun {
  /// Returns the operands' objects: the last one is kept, and all others are merged into it.
  ///
  /// An object that is named several times counts where it is named last.
  ///
  /// - Parameters:
  ///   - kind: what the operands name, as in `one dog cannot be merged`.
  ///   - hint: the hint if they name only one object.
  ///   - find: returns the object that an operand names.
  func operandsToMerge<Named: AnyObject>(
    _ kind: String, hint: String, _ find: (String) throws -> Named
  ) throws -> (others: [Named], stays: Named) {
    var named: [Named] = []
    for operand in values.operands {
      let found = try find(operand)
      named.removeAll { $0 === found }
      named.append(found)
    }
    guard let stays = named.popLast(), !named.isEmpty else {
      throw ValidationError(
        values.operands.count > 1
          ? "these names belong to one \(kind)" : "one \(kind) cannot be merged", hint: hint)
    }
    return (named, stays)
  }
}

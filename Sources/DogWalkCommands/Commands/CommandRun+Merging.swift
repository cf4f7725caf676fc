import CommandLineKit

extension CommandRun {
  /// What the operands name: the last one stays, and all others are merged into it.
  ///
  /// What stays is named last, also where it is named before.
  ///
  /// - Parameters:
  ///   - kind: what they name, as in `one dog cannot be merged`.
  ///   - hint: what to write where they name a single one.
  ///   - find: gives what an operand names.
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
          ? "these names are one \(kind)'s" : "one \(kind) cannot be merged", hint: hint)
    }
    return (named, stays)
  }
}

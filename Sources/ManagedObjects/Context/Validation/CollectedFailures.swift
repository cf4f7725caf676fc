/// What several checks found, to be thrown together.
struct CollectedFailures {
  private(set) var failures: [ValidationError.Failure] = []
  /// An error of another type that a subclass threw, where it was the first thing found.
  private var foreign: (any Error)?

  /// Runs a check and keeps what it throws.
  mutating func collect(from object: ManagedObject, _ check: () throws -> Void) {
    do {
      try check()
    } catch let error as ValidationError {
      failures += error.failures
    } catch {
      if failures.isEmpty { foreign = error }
      failures.append(.init(object, reason: .refused(String(describing: error))))
    }
  }

  /// Throws all that was found; a single error of a subclass's own type as it is.
  func throwIfAny() throws {
    if let foreign, failures.count == 1 { throw foreign }
    if !failures.isEmpty { throw ValidationError(failures: failures) }
  }
}

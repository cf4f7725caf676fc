/// The failures of several checks, to be thrown together.
struct CollectedFailures {
  private(set) var failures: [ValidationError.Failure] = []
  /// An error of another type that a subclass threw, if it was the first failure.
  private var foreign: (any Error)?

  /// Runs a check and keeps the error that it throws.
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

  /// Throws all failures; a single error of a subclass's own type is thrown unchanged.
  func throwIfAny() throws {
    if let foreign, failures.count == 1 { throw foreign }
    if !failures.isEmpty { throw ValidationError(failures: failures) }
  }
}

/// The failures of several checks, to be thrown together.
struct CollectedFailures {
  private(set) var failures: [ValidationError.Failure] = []
  /// The errors of other types that subclasses threw, by the indexes of their failures.
  private var foreign: [Int: any Error] = [:]

  /// Runs a check and keeps the error that it throws.
  mutating func collect(from object: ManagedObject, _ check: () throws -> Void) {
    do {
      try check()
    } catch let error as ValidationError {
      for (index, error) in error.foreign { foreign[failures.count + index] = error }
      failures += error.failures
    } catch {
      foreign[failures.count] = error
      failures.append(.init(object, reason: .refused(String(describing: error))))
    }
  }

  /// Throws all failures; a single error of a subclass's own type is thrown unchanged.
  func throwIfAny() throws {
    if failures.count == 1, let error = foreign[0] { throw error }
    if !failures.isEmpty { throw ValidationError(failures: failures, foreign: foreign) }
  }
}

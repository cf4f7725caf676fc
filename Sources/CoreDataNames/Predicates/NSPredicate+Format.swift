public import Foundation
public import ManagedObjects

extension NSPredicate {
  /// Creates a predicate from text, with arguments for its placeholders.
  ///
  ///     request.predicate = NSPredicate(format: "%K == %@ AND age > %d", "name", name, 3)
  ///
  /// It is Foundation's class, which has no formats on systems without Objective-C. It can be
  /// combined with others by `NSCompoundPredicate`, and evaluated on objects. O(length).
  ///
  /// - Precondition: the text is a predicate; Core Data raises an exception otherwise.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(Self.read(format, arguments))
  }

  /// Creates a predicate from text, with the arguments in an array.
  ///
  /// - Precondition: as above.
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    self.init(Self.read(format, arguments ?? []))
  }

  /// Creates Foundation's predicate from one of the library's.
  ///
  ///     NSPredicate(\Dog.age > 3)
  public convenience init(_ predicate: FetchPredicate) {
    self.init { object, variables in
      if let reader = object as? PredicateReader {
        reader.predicate = predicate
        return true
      }
      guard let object = object as? ManagedObject else {
        fatalError("A predicate created from a format can evaluate only managed objects.")
      }
      do {
        return try predicate.withSubstitutionVariables(variables).evaluate(with: object)
      } catch {
        fatalError("\(predicate) cannot be evaluated on \(object.entity.storedName): \(error)")
      }
    }
  }

  /// The library's predicate, for fetches.
  ///
  /// - Precondition: the predicate is not made from a closure, which no store can evaluate.
  public var fetchPredicate: FetchPredicate {
    if let compound = self as? NSCompoundPredicate {
      let parts = compound.subpredicates.map(\.fetchPredicate)
      return switch compound.compoundPredicateType {
      case .and: .all(parts)
      case .or: .any(parts)
      case .not: .not(.all(parts))
      @unknown default: fatalError("There is no such compound predicate.")
      }
    }
    if isEqual(NSPredicate(value: true)) { return .constant(true) }
    if isEqual(NSPredicate(value: false)) { return .constant(false) }
    let reader = PredicateReader()
    _ = evaluate(with: reader)
    guard let predicate = reader.predicate else {
      fatalError("A store cannot fetch with a predicate created from a closure.")
    }
    return predicate
  }

  /// The predicate with values for its variables.
  ///
  ///     template.withSubstitutionVariables(["NAME": "Fido"])
  public func withSubstitutionVariables(_ variables: [String: Any]) -> NSPredicate {
    NSPredicate(fetchPredicate.withSubstitutionVariables(variables))
  }

  private static func read(_ format: String, _ arguments: [Any?]) -> FetchPredicate {
    do {
      return try FetchPredicate(
        format: format, argumentArray: arguments.map { predicateArgument($0) })
    } catch {
      fatalError("\"\(format)\" is not a predicate: \(error)")
    }
  }
}

/// A placeholder object: a predicate with a format that is evaluated on it stores its contents in
/// it.
private final class PredicateReader {
  var predicate: FetchPredicate?
}

extension FetchPredicate {
  fileprivate func withSubstitutionVariables(_ variables: [String: Any]?) -> FetchPredicate {
    guard let variables, !variables.isEmpty else { return self }
    return withSubstitutionVariables(variables.mapValues { predicateArgument($0) })
  }
}

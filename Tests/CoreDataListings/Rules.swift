import CoreDataNames

/// A custom rule for conflicts.
package class OlderDogPolicy: NSMergePolicy {
  package var resolved = 0

  package init() {
    super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  }

  package override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    resolved += list.count
    let ages = list.map { ($0.persistedSnapshot?["age"] as? Int16) ?? 0 }
    try super.resolve(optimisticLockingConflicts: list)
    for (conflict, age) in zip(list, ages) {
      guard let dog = conflict.sourceObject as? Dog else { continue }
      dog.age = max(dog.age, age)
    }
  }
}

/// The message that a form shows where a save fails.
package func message(for error: Error) -> String {
  let error = error as NSError
  guard error.domain == NSCocoaErrorDomain else { return "?" }
  switch error.code {
  case NSValidationMultipleErrorsError:
    let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
    return errors.map { message(for: $0) }.sorted().joined(separator: " ")
  case NSValidationNumberTooLargeError, NSValidationNumberTooSmallError:
    return "\(error.userInfo[NSValidationKeyErrorKey] ?? "") is out of range."
  case NSValidationMissingMandatoryPropertyError:
    return "\(error.userInfo[NSValidationKeyErrorKey] ?? "") is missing."
  case NSManagedObjectMergeError: return "Somebody else was faster."
  default: return "\(error.code)"
  }
}

/// A value of one of the app's own classes, as a transformable attribute has it.
package class Badge {
  package let text: String
  package init(_ text: String) { self.text = text }
}

package final class BadgeTransformer: ValueTransformer {
  package override class func transformedValueClass() -> AnyClass { NSData.self }
  package override class func allowsReverseTransformation() -> Bool { true }

  package override func transformedValue(_ value: Any?) -> Any? {
    guard let tag = value as? Badge else { return nil }
    return Data(tag.text.utf8)
  }

  package override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    return Badge(String(decoding: data, as: UTF8.self))
  }

  package static func register() {
    ValueTransformer.setValueTransformer(
      BadgeTransformer(), forName: NSValueTransformerName("BadgeTransformer"))
  }
}

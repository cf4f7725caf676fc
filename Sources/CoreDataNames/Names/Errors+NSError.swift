public import Foundation
public import ManagedObjects

// Bridging the library's errors to Core Data's: `(error as NSError).code`.

extension ValidationError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// The code of a single failure, or that of several.
  ///
  ///     do { try context.save() } catch let error as NSError {
  ///       if error.code == NSValidationNumberTooLargeError { print(error.userInfo) }
  ///     }
  public var errorCode: Int {
    failures.count == 1 ? failures[0].errorCode : NSValidationMultipleErrorsError
  }

  /// The property and the value, or an error for each failure: that which an object threw itself.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    guard failures.count == 1 else {
      info[NSDetailedErrorsKey] = failures.enumerated().map { index, failure in
        (foreign[index] ?? ValidationError(failures: [failure])) as NSError
      }
      return info
    }
    info[NSValidationKeyErrorKey] = failures[0].property
    info[NSValidationValueErrorKey] = failures[0].value?.foundationValue
    return info
  }
}

extension ValidationError.Failure {
  fileprivate var errorCode: Int {
    let isDate = if case .date? = value { true } else { false }
    return switch reason {
    case .missingValue: NSValidationMissingMandatoryPropertyError
    case .tooSmall: isDate ? NSValidationDateTooSoonError : NSValidationNumberTooSmallError
    case .tooLarge: isDate ? NSValidationDateTooLateError : NSValidationNumberTooLargeError
    case .tooShort: NSValidationStringTooShortError
    case .tooLong: NSValidationStringTooLongError
    case .mismatch, .unreadablePattern: NSValidationStringPatternMatchingError
    case .tooFewMembers: NSValidationRelationshipLacksMinimumCountError
    case .tooManyMembers: NSValidationRelationshipExceedsMaximumCountError
    case .deleteDenied: NSValidationRelationshipDeniedDeleteError
    case .wrongType, .refused: NSManagedObjectValidationError
    }
  }
}

extension ConflictError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }
  /// `NSManagedObjectMergeError`.
  public var errorCode: Int { NSManagedObjectMergeError }
  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension PersistentStoreError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// The code of Core Data's error; for a file that cannot be read or written, Foundation's.
  public var errorCode: Int {
    switch self {
    case .fileNotFound, .missingExternalData: CocoaError.fileReadNoSuchFile.rawValue
    case .corrupt, .notAStore, .malformedDocument: CocoaError.fileReadCorruptFile.rawValue
    case .noPermission: CocoaError.fileReadNoPermission.rawValue
    case .full: CocoaError.fileWriteOutOfSpace.rawValue
    case .readOnly: CocoaError.fileWriteVolumeReadOnly.rawValue
    case .incompatibleModel: NSPersistentStoreIncompatibleVersionHashError
    case .unknownStoreType, .invalidStore: NSPersistentStoreInvalidTypeError
    case .typeMismatch: NSPersistentStoreTypeMismatchError
    case .busy: NSPersistentStoreTimeoutError
    case .uniquenessViolation: NSManagedObjectConstraintMergeError
    case .objectNotFound: NSManagedObjectReferentialIntegrityError
    case .unwritableValue, .moved, .uncertain, .outcomeUnknown: NSPersistentStoreSaveError
    case .failed: NSSQLiteError
    case .unsupportedModel, .noPersistentStore, .removed: NSCoreDataError
    case .unsupportedOperation, .cannotWrite, .serverFailed, .connectionLost:
      NSPersistentStoreOperationError
    default: NSPersistentStoreOpenError
    }
  }

  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension MigrationError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// The code of Core Data's error.
  public var errorCode: Int {
    switch self {
    case .missingSourceModel: NSMigrationMissingSourceModelError
    case .missingMappingModel: NSMigrationMissingMappingModelError
    case .incompatibleAttributeTypes, .missingDefaultValue, .mergedHierarchies, .ambiguousRenaming,
      .renamingCycle, .toManyBecomesToOne, .differentDestination, .differentInverse:
      NSInferredMappingModelError
    default: NSMigrationError
    }
  }

  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension PersistentHistoryError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// The code of Core Data's error.
  public var errorCode: Int {
    if case .tokenExpired = self { return NSPersistentHistoryTokenExpiredError }
    return NSCoreDataError
  }

  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension PredicateBindingError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }
  /// `NSCoreDataError`; Core Data raises an exception.
  public var errorCode: Int { NSCoreDataError }
  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension BatchRequestError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// The code of Core Data's error.
  public var errorCode: Int {
    switch self {
    case .missingValue, .requiredValue: NSValidationMissingMandatoryPropertyError
    case .deniedDeletion: NSValidationRelationshipDeniedDeleteError
    case .notAnObject: NSCoreDataError
    }
  }

  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension MappingModelError: CustomNSError {
  /// Foundation's domain, as in Core Data.
  public static var errorDomain: String { NSCocoaErrorDomain }
  /// `NSMigrationError`.
  public var errorCode: Int { NSMigrationError }
  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

// The codes of errors in Foundation's domain, as in Core Data. Errors that a save, a fetch or
// opening a store throws have one of them as an `NSError`; some codes are only here so that code
// which compares with them compiles.

/// An object's custom validation rule is violated.
public let NSManagedObjectValidationError = 1550
/// A uniqueness constraint is violated; errors here have `NSManagedObjectConstraintMergeError`.
public let NSManagedObjectConstraintValidationError = 1551
/// Several values or objects are invalid; `NSDetailedErrorsKey` has an error for each.
public let NSValidationMultipleErrorsError = 1560
/// A required property has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A relationship has too few members.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A relationship has too many members.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the delete rule Deny is not empty.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is too large.
public let NSValidationNumberTooLargeError = 1610
/// A number is too small.
public let NSValidationNumberTooSmallError = 1620
/// A date is too late.
public let NSValidationDateTooLateError = 1630
/// A date is too early.
public let NSValidationDateTooSoonError = 1640
/// A date is invalid.
public let NSValidationInvalidDateError = 1650
/// A string is too long.
public let NSValidationStringTooLongError = 1660
/// A string is too short.
public let NSValidationStringTooShortError = 1670
/// A string does not match the model's regular expression.
public let NSValidationStringPatternMatchingError = 1680
/// A URI is invalid.
public let NSValidationInvalidURIError = 1690
/// The row of a fault does not exist.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// A relationship leads to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133_010
/// Objects were changed elsewhere since they were read.
public let NSManagedObjectMergeError = 133_020
/// A value that must be unique is duplicated.
public let NSManagedObjectConstraintMergeError = 133_021
/// There is no store type with the name.
public let NSPersistentStoreInvalidTypeError = 134_000
/// A store is of another type than specified.
public let NSPersistentStoreTypeMismatchError = 134_010
/// A store's tables are not those of its model.
public let NSPersistentStoreIncompatibleSchemaError = 134_020
/// A save failed.
public let NSPersistentStoreSaveError = 134_030
/// Some of several stores could not be saved.
public let NSPersistentStoreIncompleteSaveError = 134_040
/// A save found conflicts; errors here have `NSManagedObjectMergeError`.
public let NSPersistentStoreSaveConflictsError = 134_050
/// A request does not fit the model or the store.
public let NSCoreDataError = 134_060
/// A store does not support an operation.
public let NSPersistentStoreOperationError = 134_070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134_080
/// A store was locked longer than the timeout.
public let NSPersistentStoreTimeoutError = 134_090
/// A store does not support a kind of requests.
public let NSPersistentStoreUnsupportedRequestTypeError = 134_091
/// A store is of another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134_100
/// A migration failed.
public let NSMigrationError = 134_110
/// A migrated value violates a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134_111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134_120
/// The model that a store was made with is unknown.
public let NSMigrationMissingSourceModelError = 134_130
/// There is no mapping model.
public let NSMigrationMissingMappingModelError = 134_140
/// The source of a migration could not be opened.
public let NSMigrationManagerSourceStoreError = 134_150
/// The destination of a migration could not be opened.
public let NSMigrationManagerDestinationStoreError = 134_160
/// A migration policy failed.
public let NSEntityMigrationPolicyError = 134_170
/// SQLite failed.
public let NSSQLiteError = 134_180
/// No mapping can be inferred.
public let NSInferredMappingModelError = 134_190
/// A token is older than the remaining history.
public let NSPersistentHistoryTokenExpiredError = 134_301

/// The key of the errors, `[NSError]`, that a validation error consists of.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the objects that an error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key of the stores that an error concerns.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The key of the conflicts that a save found.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The key of the name of the invalid property.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the invalid value.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

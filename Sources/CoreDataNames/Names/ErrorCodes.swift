// The codes of errors in Foundation's domain, as in Core Data. Errors that a save, a fetch or
// opening a store throws have one of them as an `NSError`.

/// An object's custom validation rule is violated.
public let NSManagedObjectValidationError = 1550
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
/// A string is too long.
public let NSValidationStringTooLongError = 1660
/// A string is too short.
public let NSValidationStringTooShortError = 1670
/// A string does not match the model's regular expression.
public let NSValidationStringPatternMatchingError = 1680
/// The row of a fault does not exist.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// Objects were changed elsewhere since they were read.
public let NSManagedObjectMergeError = 133_020
/// A value that must be unique is duplicated.
public let NSManagedObjectConstraintMergeError = 133_021
/// There is no store type with the name.
public let NSPersistentStoreInvalidTypeError = 134_000
/// A store is of another type than specified.
public let NSPersistentStoreTypeMismatchError = 134_010
/// A save failed.
public let NSPersistentStoreSaveError = 134_030
/// A request does not fit the model or the store.
public let NSCoreDataError = 134_060
/// A store does not support an operation.
public let NSPersistentStoreOperationError = 134_070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134_080
/// A store was locked longer than the timeout.
public let NSPersistentStoreTimeoutError = 134_090
/// A store is of another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134_100
/// A migration failed.
public let NSMigrationError = 134_110
/// The model that a store was made with is unknown.
public let NSMigrationMissingSourceModelError = 134_130
/// There is no mapping model.
public let NSMigrationMissingMappingModelError = 134_140
/// SQLite failed.
public let NSSQLiteError = 134_180
/// No mapping can be inferred.
public let NSInferredMappingModelError = 134_190
/// A token is older than the remaining history.
public let NSPersistentHistoryTokenExpiredError = 134_301

/// The key of the errors, `[NSError]`, that a validation error consists of.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the name of the invalid property.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the invalid value.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

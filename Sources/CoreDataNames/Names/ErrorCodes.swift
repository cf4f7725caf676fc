// The numbers of errors in Foundation's domain, as Core Data's have them. What a save, a fetch or
// an opened store throws has one of them as an `NSError`.

/// A rule of an object's own does not allow something.
public let NSManagedObjectValidationError = 1550
/// Several values or objects are not valid; `NSDetailedErrorsKey` has an error for each.
public let NSValidationMultipleErrorsError = 1560
/// A required property has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A relationship has too few members.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A relationship has too many members.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the rule to deny still leads to an object.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is too large.
public let NSValidationNumberTooLargeError = 1610
/// A number is too small.
public let NSValidationNumberTooSmallError = 1620
/// A date is too late.
public let NSValidationDateTooLateError = 1630
/// A date is too early.
public let NSValidationDateTooSoonError = 1640
/// A text is too long.
public let NSValidationStringTooLongError = 1660
/// A text is too short.
public let NSValidationStringTooShortError = 1670
/// A text is not as the model's regular expression says.
public let NSValidationStringPatternMatchingError = 1680
/// An object that a fault stands for is gone.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// Objects were changed by someone else since they were read.
public let NSManagedObjectMergeError = 133_020
/// A value stands twice that the model allows once.
public let NSManagedObjectConstraintMergeError = 133_021
/// There is no kind of stores of the name.
public let NSPersistentStoreInvalidTypeError = 134_000
/// A store is of another kind than it was said to be.
public let NSPersistentStoreTypeMismatchError = 134_010
/// A save failed.
public let NSPersistentStoreSaveError = 134_030
/// A request does not fit the model or the store.
public let NSCoreDataError = 134_060
/// A store cannot do what was asked for.
public let NSPersistentStoreOperationError = 134_070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134_080
/// Others kept the store longer than was waited for.
public let NSPersistentStoreTimeoutError = 134_090
/// A store is of another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134_100
/// A migration failed.
public let NSMigrationError = 134_110
/// The model that a store was made with is not there.
public let NSMigrationMissingSourceModelError = 134_130
/// There is no mapping model.
public let NSMigrationMissingMappingModelError = 134_140
/// SQLite failed.
public let NSSQLiteError = 134_180
/// No mapping can be inferred.
public let NSInferredMappingModelError = 134_190
/// A token is older than the history that is left.
public let NSPersistentHistoryTokenExpiredError = 134_301

/// The key of the errors, `[NSError]`, of which an error of validation consists.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the name of the property that is not valid.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the value that is not valid.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

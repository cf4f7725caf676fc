import Foundation
public import ManagedObjects

extension PersistentStoreOptions {
  /// Creates options from Core Data's dictionary.
  ///
  ///     PersistentStoreOptions([NSReadOnlyPersistentStoreOption: true])
  ///
  /// Unknown keys are ignored, as in Core Data.
  public init(_ dictionary: [AnyHashable: Any]?) {
    self.init()
    for (key, value) in dictionary ?? [:] {
      guard let key = key as? String else { continue }
      set(value, for: key)
    }
  }

  mutating func set(_ value: Any?, for key: String) {
    let isOn = CoreDataNames.isOn(value)
    switch key {
    case NSMigratePersistentStoresAutomaticallyOption: migratesAutomatically = isOn
    case NSInferMappingModelAutomaticallyOption: infersMapping = isOn
    case NSReadOnlyPersistentStoreOption: isReadOnly = isOn
    case NSSQLiteAnalyzeOption: analyzesStore = isOn
    case NSSQLiteManualVacuumOption: vacuumsStore = isOn
    case NSIgnorePersistentStoreVersioningOption: ignoresModelVersioning = isOn
    case NSPersistentHistoryTrackingKey: tracksPersistentHistory = isOn
    case NSPersistentStoreForceDestroyOption: forcesDestroy = isOn
    case NSPersistentStoreTimeoutOption:
      if let seconds = (value as? NSNumber)?.doubleValue { busyTimeout = seconds }
    case NSSQLitePragmasOption:
      sqlitePragmas = (value as? [String: Any] ?? [:]).mapValues { "\($0)" }
    default: break
    }
  }
}

/// Whether an option is switched on.
func isOn(_ value: Any?) -> Bool {
  (value as? NSNumber)?.boolValue ?? (value as? Bool) ?? false
}

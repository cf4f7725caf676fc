public import Foundation
public import ManagedObjects

/// The key of a notification's inserted objects, a `Set<NSManagedObject>`.
public let NSInsertedObjectsKey = "inserted"
/// The key of a notification's changed objects.
public let NSUpdatedObjectsKey = "updated"
/// The key of a notification's deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// The key of a notification's refreshed objects.
public let NSRefreshedObjectsKey = "refreshed"
/// The key of the IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The key of the IDs of changed objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The key of the IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The key of the IDs of refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"

extension Notification.Name {
  /// Posted when a context's event ends: at `processPendingChanges()`, a save, a merge, a refresh
  /// or a rollback.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// Posted before a context saves.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// Posted after a context has saved.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// Posted after a context has saved, with IDs.
  public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
}

extension ManagedObjectContext {
  /// Posted when a context's event ends.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange
  /// Posted before a context saves.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// Posted after a context has saved.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// Posted after a context has saved, with the IDs of saved objects, for other threads.
  public static let didSaveObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidSaveObjectIDs

  /// The keys of notifications, by their newer names.
  ///
  ///     let key = NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
  ///     let ids = notification.userInfo?[key] as? Set<NSManagedObjectID>
  public enum NotificationKey: String, Sendable {
    /// The inserted objects, a `Set<NSManagedObject>`.
    case insertedObjects = "inserted"
    /// The changed objects.
    case updatedObjects = "updated"
    /// The deleted objects.
    case deletedObjects = "deleted"
    /// The refreshed objects.
    case refreshedObjects = "refreshed"
    /// The IDs of inserted objects, a `Set<NSManagedObjectID>`.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The IDs of changed objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The IDs of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The IDs of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
  }

  /// Merges changes that another context has saved.
  ///
  ///     context.performAndWait { context.mergeChanges(fromContextDidSave: notification) }
  ///
  /// An error of reading is stored in `faultingError`, and the next save throws it.
  public func mergeChanges(fromContextDidSave notification: Notification) {
    merge(notification.userInfo ?? [:])
  }

  /// Merges changes made elsewhere, by keys such as `NSDeletedObjectsKey`, on each context's queue.
  ///
  ///     NSManagedObjectContext.mergeChanges(
  ///       fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
  ///
  /// The values are collections of IDs, of their URIs, or of objects.
  public static func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
    into contexts: [ManagedObjectContext]
  ) {
    for context in contexts { context.performAndWait { context.merge(changeNotificationData) } }
  }

  private func merge(_ info: [AnyHashable: Any]) {
    let changes =
      info[changedIDsKey] as? ChangedObjectIDs ?? ChangedObjectIDs(info, storeCoordinator)
    do { try mergeChanges(from: changes) } catch { faultingError = faultingError ?? error }
  }

  /// Posts this context's notifications to `NotificationCenter.default`.
  func postNotifications() {
    let names: [(ContextNotification, Notification.Name)] = [
      (.objectsDidChange, .NSManagedObjectContextObjectsDidChange),
      (.willSave, .NSManagedObjectContextWillSave), (.didSave, .NSManagedObjectContextDidSave),
    ]
    contextQueue.observations = names.map { event, name in
      observe(event) { [unowned self] changes in
        let center = NotificationCenter.default
        center.post(name: name, object: self, userInfo: event == .willSave ? [:] : changes.userInfo)
        guard event == .didSave else { return }
        center.post(
          name: Self.didSaveObjectIDsNotification, object: self,
          userInfo: changes.objectIDs.userInfo)
      }
    }
  }
}

/// The key of the IDs of all changes, which may be passed to other contexts.
private let changedIDsKey = "changedObjectIDs"

extension ObjectChanges {
  fileprivate var userInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [changedIDsKey: objectIDs]
    let kinds = [
      (NSInsertedObjectsKey, inserted), (NSUpdatedObjectsKey, updated),
      (NSDeletedObjectsKey, deleted), (NSRefreshedObjectsKey, refreshed),
    ]
    for (key, objects) in kinds where !objects.isEmpty { info[key] = Set(objects) }
    return info
  }
}

extension ChangedObjectIDs {
  /// The IDs in the form of notifications.
  var userInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [changedIDsKey: self]
    let kinds = [
      (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated),
      (NSDeletedObjectIDsKey, deleted), (NSRefreshedObjectIDsKey, refreshed),
    ]
    for (key, ids) in kinds where !ids.isEmpty { info[key] = Set(ids) }
    return info
  }

  /// The IDs in the values of a notification's keys, some of which may be URIs.
  fileprivate init(_ info: [AnyHashable: Any], _ coordinator: PersistentStoreCoordinator) {
    func ids(_ keys: String...) -> [ManagedObjectID] {
      keys.flatMap { members(of: info[$0]) ?? [] }.compactMap { member in
        switch member {
        case let id as ManagedObjectID: id
        case let object as ManagedObject: object.objectID
        case let uri as URL: coordinator.managedObjectID(forURIRepresentation: uri)
        default: nil
        }
      }
    }
    self.init(
      inserted: ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey),
      updated: ids(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey),
      deleted: ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey),
      refreshed: ids(NSRefreshedObjectsKey, NSRefreshedObjectIDsKey))
  }
}

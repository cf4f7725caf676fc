public import Foundation
import ManagedObjects

/// The key of a store's UUID, in its metadata and in notifications of remote changes.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The key of a store's kind in its metadata.
public let NSStoreTypeKey = "NSStoreType"
/// The key of a store's URL in notifications of remote changes.
public let NSPersistentStoreURLKey = "storeURL"
/// The key of an `NSPersistentHistoryToken` in notifications of remote changes, where the store
/// keeps a history.
public let NSPersistentHistoryTokenKey = "historyToken"

extension Notification.Name {
  /// When something was saved into a store that was added with
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, by whomever; its object is the
  /// coordinator.
  ///
  ///     NotificationCenter.default.addObserver(
  ///       forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
  ///     ) { notification in print(notification.userInfo?[NSPersistentHistoryTokenKey] ?? "") }
  ///
  /// Posted on a thread of its own, a moment after the save; several may come as one.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

extension PersistentStoreCoordinator {
  /// Posts a notification for each save into a store from now on, until the coordinator ends; of a
  /// store that does not say what others change, for saves through this coordinator.
  func postRemoteChanges(of store: PersistentStore) {
    let (uuid, url) = (store.identifier, store.url)
    if let others = try? remoteChanges(of: store) {
      Task.detached { [weak self] in
        for try await change in others {
          self?.postRemoteChange(uuid, url, change.historyToken)
        }
      }
    }
    let own = saves()
    Task.detached { [weak self] in
      for await changes in own {
        guard let self else { return }
        let ids = changes.inserted + changes.updated + changes.deleted
        guard changes.isIncomplete || ids.contains(where: { $0.uriRepresentation().host == uuid })
        else { continue }
        postRemoteChange(
          uuid, url, try? currentPersistentHistoryToken(fromStores: [store]))
      }
    }
  }

  private func postRemoteChange(_ uuid: String, _ url: URL?, _ token: PersistentHistoryToken?) {
    var info: [AnyHashable: Any] = [NSStoreUUIDKey: uuid]
    info[NSPersistentStoreURLKey] = url
    info[NSPersistentHistoryTokenKey] = token
    NotificationCenter.default.post(
      name: .NSPersistentStoreRemoteChange, object: self, userInfo: info)
  }
}

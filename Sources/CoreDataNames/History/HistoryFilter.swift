import DataModel
import Foundation
public import ManagedObjects

extension PersistentHistoryTransaction {
  /// A request for transactions, for use with a history request.
  ///
  /// Its predicate may refer to `author`, `contextName`, `bundleID`, `processID`, `storeID` and
  /// `timestamp`.
  ///
  ///     let fetchRequest = NSPersistentHistoryTransaction.fetchRequest!
  ///     fetchRequest.predicate = NSPredicate(format: "author != %@", "widget")
  ///     let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
  ///     request.fetchRequest = fetchRequest
  public static var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    NSFetchRequest(entityName: HistoryFilter.transaction)
  }

  /// The IDs of the changed objects, as a notification that contexts merge.
  ///
  ///     context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
  public func objectIDNotification() -> Notification {
    Notification(name: .NSManagedObjectContextDidSaveObjectIDs, userInfo: objectIDs.userInfo)
  }
}

extension PersistentHistoryChange {
  /// A request for changes, whose predicate may refer to `changeID` and `changeType`.
  ///
  ///     let fetchRequest = NSPersistentHistoryChange.fetchRequest!
  ///     fetchRequest.predicate = NSPredicate(format: "changeType == 2")
  public static var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    NSFetchRequest(entityName: HistoryFilter.change)
  }
}

/// Filters transactions and changes by the predicate of a request for them.
///
/// They are evaluated as objects of a private model.
struct HistoryFilter {
  static let transaction = "Transaction"
  static let change = "Change"

  private let predicate: FetchPredicate?
  private let fetchLimit: Int
  private let entityName: String

  /// nil if there is no predicate, except for a limit of changes.
  init?(_ request: NSFetchRequest<any NSFetchRequestResult>?) {
    guard let request, let entityName = request.entityName else { return nil }
    predicate = request.predicate?.fetchPredicate
    self.entityName = entityName
    fetchLimit = request.fetchLimit
    if predicate == nil, entityName == Self.transaction || fetchLimit == 0 { return nil }
  }

  /// The matching transactions, with their changes.
  ///
  /// - Throws: `PredicateBindingError` if the predicate refers to another property.
  func filtered(
    _ transactions: [PersistentHistoryTransaction]
  ) throws -> [PersistentHistoryTransaction] {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Self.model)
    try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let judge = EntityDescription.insertNewObject(forEntityName: entityName, into: context)
    var kept: [PersistentHistoryTransaction] = []
    var remaining = fetchLimit > 0 ? fetchLimit : .max
    for var transaction in transactions where remaining > 0 {
      if entityName == Self.transaction {
        judge.setValue(transaction.author, forKey: "author")
        judge.setValue(transaction.contextName, forKey: "contextName")
        judge.setValue(transaction.bundleID, forKey: "bundleID")
        judge.setValue(transaction.processID, forKey: "processID")
        judge.setValue(transaction.storeID, forKey: "storeID")
        judge.setValue(transaction.timestamp, forKey: "timestamp")
        guard try predicate?.evaluate(with: judge) ?? true else { continue }
        kept.append(transaction)
        remaining -= 1
        continue
      }
      let changes = try transaction.storedChanges.filter { change in
        judge.setValue(change.changeID, forKey: "changeID")
        judge.setValue(change.changeType.rawValue, forKey: "changeType")
        return try predicate?.evaluate(with: judge) ?? true
      }
      guard !changes.isEmpty else { continue }
      transaction.storedChanges = Array(changes.prefix(remaining))
      remaining -= transaction.storedChanges.count
      kept.append(transaction)
    }
    return kept
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: transaction,
      properties: ["author", "contextName", "bundleID", "processID", "storeID"].map {
        .attribute(AttributeDescription(name: $0, type: .string, isOptional: true))
      } + [.attribute(AttributeDescription(name: "timestamp", type: .date, isOptional: true))]),
    EntityDescription(
      name: change,
      properties: [
        .attribute(AttributeDescription(name: "changeID", type: .integer64, isOptional: true)),
        .attribute(AttributeDescription(name: "changeType", type: .integer16, isOptional: true)),
      ]),
  ])
}

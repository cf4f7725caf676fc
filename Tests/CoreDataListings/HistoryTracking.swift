import CoreDataNames

/// Follows others' saves into a store, and deletes history that every reader has seen.
package class HistoryTracker {
  let container: NSPersistentContainer
  package var token: NSPersistentHistoryToken?
  package let author: String

  package init(author: String, url: URL) {
    self.author = author
    container = NSPersistentContainer(name: "Kennel")
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in
      if let error { fatalError("\(error)") }
    }
    container.viewContext.transactionAuthor = author
  }

  package var context: NSManagedObjectContext { container.viewContext }
  package var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  package func addDog(named name: String) throws {
    Dog(context: context).name = name
    try context.save()
  }

  /// Others' saves since the last call.
  package func fetchTransactions() throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    if let fetchRequest = NSPersistentHistoryTransaction.fetchRequest {
      fetchRequest.predicate = NSPredicate(format: "%K != %@", "author", author)
      request.fetchRequest = fetchRequest
    }
    guard let result = try context.execute(request) as? NSPersistentHistoryResult,
      let transactions = result.result as? [NSPersistentHistoryTransaction]
    else { return [] }
    return transactions
  }

  package func merge() throws -> Int {
    let transactions = try fetchTransactions()
    for transaction in transactions {
      context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      token = transaction.token
    }
    return transactions.reduce(0) { $0 + ($1.changes?.count ?? 0) }
  }

  /// The number of changes of a type in the store's history.
  package func count(of type: NSPersistentHistoryChangeType) throws -> Int {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
    let fetchRequest = NSPersistentHistoryChange.fetchRequest
    fetchRequest?.predicate = NSPredicate(format: "changeType == %d", type.rawValue)
    request.fetchRequest = fetchRequest
    request.resultType = .count
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return result?.result as? Int ?? 0
  }

  package func forget(before date: Date) throws -> Bool {
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: date)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return result?.result as? Bool ?? false
  }
}

import CoreDataNames
import Foundation

/// Counts, dictionaries, sums, combined predicates, batches.
package class Filters {
  let context: NSManagedObjectContext
  package var dogs: [Dog] = []

  package init(_ context: NSManagedObjectContext) { self.context = context }

  lazy var youngPredicate: NSPredicate = { NSPredicate(format: "%K < %d", "age", 3) }()

  lazy var nameSort: NSSortDescriptor = {
    NSSortDescriptor(
      key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
  }()
  lazy var ageSort = NSSortDescriptor(keyPath: \Dog.age, ascending: false)
  lazy var weightSort = NSSortDescriptor(keyPath: \Dog.weight, ascending: true)

  package func countYoung() -> Int {
    let fetchRequest = NSFetchRequest<NSNumber>(entityName: "Dog")
    fetchRequest.resultType = .countResultType
    fetchRequest.predicate = youngPredicate
    do {
      let countResult = try context.fetch(fetchRequest)
      return countResult.first!.intValue
    } catch let error as NSError {
      print("count not fetched \(error), \(error.userInfo)")
      return 0
    }
  }

  package func totalMinutes() -> Int {
    let fetchRequest = NSFetchRequest<NSDictionary>(entityName: "Walk")
    fetchRequest.resultType = .dictionaryResultType
    let sumExpressionDesc = NSExpressionDescription()
    sumExpressionDesc.name = "sumMinutes"
    let minutes = NSExpression(forKeyPath: "minutes")
    sumExpressionDesc.expression = NSExpression(forFunction: "sum:", arguments: [minutes])
    sumExpressionDesc.expressionResultType = .integer32AttributeType
    fetchRequest.propertiesToFetch = [sumExpressionDesc]
    do {
      let results = try context.fetch(fetchRequest)
      let resultDict = results.first!
      return (resultDict["sumMinutes"] as? Int) ?? 0
    } catch {
      return -1
    }
  }

  package func fetch(old: Bool, named prefix: String?) throws {
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    var predicates: [NSPredicate] = []
    if old { predicates.append(NSCompoundPredicate(notPredicateWithSubpredicate: youngPredicate)) }
    if let prefix { predicates.append(NSPredicate(format: "name BEGINSWITH[cd] %@", prefix)) }
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    request.sortDescriptors = [ageSort, nameSort, weightSort]
    request.fetchBatchSize = 20
    dogs = try context.fetch(request)
  }

  package func feedAll() throws -> Int {
    let batchUpdate = NSBatchUpdateRequest(entityName: "Dog")
    batchUpdate.propertiesToUpdate = ["isFed": true]
    batchUpdate.affectedStores = context.persistentStoreCoordinator?.persistentStores
    batchUpdate.resultType = .updatedObjectsCountResultType
    let batchResult = try context.execute(batchUpdate) as? NSBatchUpdateResult
    return batchResult?.result as? Int ?? 0
  }

  package func deleteAll() throws -> Int {
    let fetchRequest: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest(entityName: "Dog")
    let deleteRequest = NSBatchDeleteRequest(fetchRequest: fetchRequest)
    deleteRequest.resultType = .resultTypeObjectIDs
    let result = try context.execute(deleteRequest) as? NSBatchDeleteResult
    let ids = result?.result as? [NSManagedObjectID] ?? []
    let changes: [AnyHashable: Any] = [NSDeletedObjectsKey: ids]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
    return ids.count
  }

  package func insert(_ names: [String]) throws {
    let insertRequest = NSBatchInsertRequest(
      entity: Dog.entity(), objects: names.map { ["name": $0, "age": 7] })
    try context.execute(insertRequest)
  }

  package func ageByName() throws -> [String: Int] {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Dog")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["name", "age"]
    let rows = try context.fetch(request) as! [[String: Any]]
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0["name"] as! String, $0["age"] as! Int) })
  }
}

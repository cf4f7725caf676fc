/// A managed object class that can be fetched; every one can.
public protocol Fetchable: ManagedObject {}

extension Fetchable {
  /// A request for all objects of this class's entity, including subentities.
  ///
  ///     let walks = try context.fetch(Walk.fetchRequest())
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest() }
}

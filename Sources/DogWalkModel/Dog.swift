public import ManagedObjects

/// A dog, known by one name whatever its spelling.
///
/// Its properties are written by momc: `name`, `nameKey`, `targetMinutes`, `maximumGap`, `walks`.
public final class Dog: ManagedObject {}

extension Dog {
  /// The dog of a name: the one that is there, or a new one.
  ///
  ///     let fido = try Dog.findOrCreate(named: "Fido", in: context)
  ///
  /// `fido`, `FIDO` and any Unicode spelling of one name are one dog, also where several processes
  /// make it at the same moment; it keeps the spelling it was first given.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public static func findOrCreate(
    named name: String, in context: ManagedObjectContext
  ) throws -> Dog {
    let dog = try context.findOrCreate(
      Dog.self, where: "nameKey", equals: .string(NameKey.of(name)))
    guard dog.isInserted else { return dog }
    if let known = try keyless(named: name, in: context) {
      context.delete(dog)
      known.nameKey = NameKey.of(name)
      return known
    }
    dog.name = name
    return dog
  }

  /// A dog of that name to whom another program gave no key.
  static func keyless(named name: String, in context: ManagedObjectContext) throws -> Dog? {
    let key = NameKey.of(name)
    var request = Dog.fetchRequest()
    request.predicate = .comparison("nameKey", .equal, nil).or(
      .comparison("nameKey", .equal, .string("")))
    return try context.fetch(request).first { NameKey.of($0.name) == key }
  }
}

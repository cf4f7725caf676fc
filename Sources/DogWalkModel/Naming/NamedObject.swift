public import ManagedObjects

/// An object that is known by one name whatever its spelling: a dog, a walker, a tag.
public protocol NamedObject: ManagedObject {
  /// The name, in the spelling that it was first given.
  var name: String { get set }
  /// One for all spellings of the name: in small letters, in one Unicode form.
  var nameKey: String { get set }
}

extension Dog: NamedObject {}
extension Walker: NamedObject {}
extension Tag: NamedObject {}

extension NamedObject {
  /// The object of a name: the one that is there, or a new one.
  ///
  ///     let fido = try Dog.findOrCreate(named: "Fido", in: context)
  ///
  /// `fido`, `FIDO` and any Unicode spelling of one name are one dog, also where several processes
  /// make it at the same moment; it keeps the spelling it was first given.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public static func findOrCreate(
    named name: String, in context: ManagedObjectContext
  ) throws -> Self {
    let key = NameKey.of(name)
    let object = try context.findOrCreate(Self.self, where: "nameKey", equals: .string(key))
    // One that was made before in this context has its name.
    guard object.isInserted, NameKey.of(object.name) != key else { return object }
    if let known = try keyless(named: name, in: context) {
      context.delete(object)
      known.nameKey = key
      return known
    }
    object.name = name
    return object
  }

  /// The object of a name, in whatever spelling; nil where there is none.
  static func find(named name: String, in context: ManagedObjectContext) throws -> Self? {
    try find(key: NameKey.of(name), in: context) ?? keyless(named: name, in: context)
  }

  /// The object of a name's key; nil where there is none.
  static func find(key: String, in context: ManagedObjectContext) throws -> Self? {
    try context.find(Self.self, where: "nameKey", equals: .string(key))
  }

  /// All there are, by name.
  static func all(in context: ManagedObjectContext) throws -> [Self] {
    try context.fetch(allRequest()).sorted(byName: \.name)
  }

  /// What asks for all of them.
  static func allRequest() -> FetchRequest<Self> {
    var request = fetchRequest()
    request.sortDescriptors = [.init(key: "nameKey")]
    return request
  }

  /// One of that name to which another program gave no key.
  private static func keyless(
    named name: String, in context: ManagedObjectContext
  ) throws -> Self? {
    let key = NameKey.of(name)
    var request = fetchRequest()
    request.predicate = .comparison("nameKey", .equal, nil).or(
      .comparison("nameKey", .equal, .string("")))
    // What is made here has a key: unsaved objects, which may be thousands, need not be looked
    // through.
    request.includesPendingChanges = false
    return try context.fetch(request).first { object in
      let isKeyless = (object.value(forKey: "nameKey") as? String ?? "").isEmpty
      return isKeyless && !object.isDeleted && NameKey.of(object.name) == key
    }
  }
}

public import ManagedObjects

/// An object identified by one name in any spelling: a dog, a walker, or a tag.
public protocol NamedObject: ManagedObject {
  /// The name, in the spelling that was given first.
  var name: String { get set }
  /// The lookup key, equal for all spellings of the name: lowercase, in one Unicode form.
  var nameKey: String { get set }
}

extension Dog: NamedObject {}
extension Walker: NamedObject {}
extension Tag: NamedObject {}

extension NamedObject {
  /// Returns the existing object with a name, or inserts a new one.
  ///
  ///     let fido = try Dog.findOrCreate(named: "Fido", in: context)
  ///
  /// `fido`, `FIDO` and any Unicode spelling of the name are the same dog, even if several
  /// processes insert it concurrently. The dog keeps the spelling that was given first.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  public static func findOrCreate(
    named name: String, in context: ManagedObjectContext
  ) throws -> Self {
    let key = NameKey.of(name)
    let object = try context.findOrCreate(Self.self, where: "nameKey", equals: .string(key))
    // An object that this context inserted earlier already has its name; a new one has the default.
    guard object.isInserted, NameKey.of(object.name) != key || object.hasDefaultName else {
      return object
    }
    if let known = try keyless(named: name, in: context) {
      context.delete(object)
      known.nameKey = key
      return known
    }
    object.name = name
    return object
  }

  /// Whether the name is the one that the model gives a new object.
  private var hasDefaultName: Bool {
    entity.attributesByName["name"]?.defaultValue == .string(name)
  }

  /// Returns the object with a name, in any spelling; nil if there is none.
  static func find(named name: String, in context: ManagedObjectContext) throws -> Self? {
    try find(key: NameKey.of(name), in: context) ?? keyless(named: name, in: context)
  }

  /// Returns the object with a name key; nil if there is none.
  static func find(key: String, in context: ManagedObjectContext) throws -> Self? {
    try context.find(Self.self, where: "nameKey", equals: .string(key))
  }

  /// Returns all objects of the type, sorted by name.
  static func all(in context: ManagedObjectContext) throws -> [Self] {
    try context.fetch(allRequest()).sorted(byName: \.name)
  }

  /// Returns a fetch request for all objects of the type.
  static func allRequest() -> FetchRequest<Self> {
    var request = fetchRequest()
    request.sortDescriptors = [.init(key: "nameKey")]
    return request
  }

  /// Returns an object with the name that another program inserted without a key.
  private static func keyless(
    named name: String, in context: ManagedObjectContext
  ) throws -> Self? {
    let key = NameKey.of(name)
    var request = fetchRequest()
    request.predicate = .comparison("nameKey", .equal, nil).or(
      .comparison("nameKey", .equal, .string("")))
    // Objects inserted here always have a key, so the unsaved ones, possibly thousands, need not be
    // searched.
    request.includesPendingChanges = false
    return try context.fetch(request).first { object in
      let isKeyless = (object.value(forKey: "nameKey") as? String ?? "").isEmpty
      return isKeyless && !object.isDeleted && NameKey.of(object.name) == key
    }
  }
}

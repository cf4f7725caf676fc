import Foundation
import ManagedObjects
import Testing

/// Values by the names of their properties.
@Suite struct KeyValueTests {
  private static let moment = Date(timeIntervalSinceReferenceDate: 86_400)
  private static let uuid = UUID()

  @Test(arguments: Stack.allTypes)
  func `values of every type are returned as the accessors return them`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    let values: [String: Any?] = [
      "short": Int16(-7), "middle": Int32(70_000), "long": Int64.max, "flag": true, "real": 1.5,
      "single": Float(0.1), "date": Self.moment, "price": Decimal(string: "19.99"), "text": "Fido",
      "link": URL(string: "https://example.org/a"), "uuid": Self.uuid, "bytes": Data([1, 2]),
    ]
    sample.setValuesForKeys(values)
    sample.setValue(sample, forKey: "next")
    try stack.context.save()

    let context = stack.anotherContext()
    stack.rereading.append(context)
    let other = try #require(try context.fetch(Sample.fetchRequest()).first)
    #expect(other.value(forKey: "short") as? Int16 == -7)
    #expect(other.value(forKey: "middle") as? Int32 == 70_000)
    #expect(other.value(forKey: "long") as? Int64 == .max)
    #expect(other.value(forKey: "flag") as? Bool == true)
    #expect(other.value(forKey: "real") as? Double == 1.5)
    #expect(other.value(forKey: "single") as? Float == 0.1)
    #expect(other.value(forKey: "date") as? Date == Self.moment)
    #expect(other.value(forKey: "price") as? Decimal == Decimal(string: "19.99"))
    #expect(other.value(forKey: "text") as? String == "Fido")
    #expect(other.value(forKey: "link") as? URL == URL(string: "https://example.org/a"))
    #expect(other.value(forKey: "uuid") as? UUID == Self.uuid)
    #expect(other.value(forKey: "bytes") as? Data == Data([1, 2]))
    #expect(other.value(forKey: "next") as? Sample === other)

    // The accessors see the same.
    #expect(other.short == -7 && other.price == Decimal(string: "19.99") && other.uuid == Self.uuid)

    for key in values.keys { other.setValue(nil, forKey: key) }
    try context.save()
    let nothing = try stack.reread(Sample.self)[0].dictionaryWithValues(forKeys: Array(values.keys))
    #expect(nothing.count == values.count && nothing.values.allSatisfy { $0 == nil })
  }

  @Test(arguments: Stack.allTypes)
  func `numbers of any width are accepted where they fit`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    sample.setValuesForKeys([
      "short": 12, "middle": UInt8(200), "long": Int16(3), "real": 7, "single": 1.5, "price": 20,
    ])
    #expect(sample.short == 12 && sample.middle == 200 && sample.long == 3)
    #expect(sample.real == 7 && sample.single == 1.5 && sample.price == 20)
    sample.setValue(AttributeValue.string("as a predicate has it"), forKey: "text")
    #expect(sample.text == "as a predicate has it")
    let maybe: Int? = nil
    sample.setValue(maybe as Any, forKey: "short")
    #expect(sample.short == nil)
    sample.setValue(Optional(5) as Any, forKey: "short")
    #expect(sample.short == 5)
  }

  @Test(arguments: Stack.allTypes)
  func `relationships are set by name, and their inverses are updated`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let (anna, bert) = (Person(context: stack.context), Person(context: stack.context))
    let (cat, puppy) = (Cat(context: stack.context), Puppy(context: stack.context))
    anna.setValue(Set<Animal>([cat, puppy]), forKey: "pets")
    #expect(cat.owner === anna && puppy.value(forKey: "owner") as? Person === anna)
    #expect(anna.value(forKey: "pets") as? Set<Animal> == [cat, puppy])
    puppy.setValue(bert, forKey: "owner")
    #expect(anna.pets == [cat] && bert.pets == [puppy])
    bert.setValue([cat], forKey: "pets")
    #expect(anna.pets.isEmpty && puppy.owner == nil)
    bert.setValue(nil, forKey: "pets")
    bert.setValue([], forKey: "pets")
    #expect(cat.owner == nil)
    try stack.context.save()
  }

  @Test(arguments: Stack.allTypes)
  func `an entity made in code needs no class`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Author",
        properties: [
          .value("name", .string), .toMany("books", "Book", back: "author", isOrdered: true),
        ]),
      EntityDescription(
        name: "Book",
        properties: [.value("title", .string), .toOne("author", "Author", back: "books")]),
    ])
    let stack = try Stack(type, model: model)
    let author = ManagedObject(
      entity: try #require(model.entitiesByName["Author"]), insertInto: stack.context)
    let books = ["Emma", "Persuasion"].map { title in
      let book = ManagedObject("Book", in: stack.context)
      book.setValue(title, forKey: "title")
      return book
    }
    author.setValuesForKeys(["name": "Jane", "books": books])
    #expect(Swift.type(of: author) == ManagedObject.self)
    try stack.context.save()
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Author"))
    #expect(found.first?.value(forKeyPath: "books.title") as? [String] == ["Emma", "Persuasion"])
    #expect(found.first?.entity.name == "Author")
  }

  @Test(arguments: Stack.allTypes)
  func `a subclass may define keys that its entity does not have`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(
      type,
      model: ManagedObjectModel(
        entities: [EntityDescription(name: "Clever", properties: [.value("first", .string)])],
        classes: ["Clever": Clever.self]))
    let clever = Clever(context: stack.context)
    clever.setValue("ada", forKey: "shout")
    #expect(clever.value(forKey: "first") as? String == "ada")
    #expect(clever.value(forKeyPath: "shout") as? String == "ADA")
  }

  final class Clever: ManagedObject {
    override func value(forUndefinedKey key: String) -> Any? {
      key == "shout"
        ? (value(forKey: "first") as? String)?.uppercased() : super.value(forUndefinedKey: key)
    }
    override func setValue(_ value: Any?, forUndefinedKey key: String) {
      if key == "shout" { setValue(value, forKey: "first") }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `composites are dictionaries keyed by name`(type: PersistentStore.StoreType) throws {
    let point = AttributeDescription(
      name: "point", type: .composite, isOptional: true,
      elements: [
        .init(name: "x", type: .double, isOptional: true),
        .init(name: "y", type: .double, isOptional: true),
      ])
    let address = AttributeDescription(
      name: "address", type: .composite, isOptional: true,
      elements: [.init(name: "street", type: .string, isOptional: true), point])
    let stack = try Stack(
      type,
      model: ManagedObjectModel(entities: [
        EntityDescription(name: "House", properties: [.attribute(address)])
      ]))
    let house = ManagedObject("House", in: stack.context)
    #expect(house.value(forKey: "address") == nil)
    house.setValue(
      ["street": "Elm Street", "point": ["x": 1.5] as [String: Any?]] as [String: Any?],
      forKey: "address")
    try stack.context.save()
    #expect(house.value(forKeyPath: "address.street") as? String == "Elm Street")
    #expect(house.value(forKeyPath: "address.point.x") as? Double == 1.5)
    #expect(house.value(forKeyPath: "address.point.y") == nil)
    house.setValue(2, forKeyPath: "address.point.y")
    #expect(house.changedValues().keys.sorted() == ["address.point.y"])
    house.setValue(nil, forKey: "address")
    #expect(house.value(forKey: "address") == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `transformable and transient values can be accessed by name too`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(
      type,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Bag",
          properties: [
            .value("bytes", .transformable), .value("anything", .undefined, isTransient: true),
            .value("cached", .integer32, isTransient: true),
          ])
      ]))
    let bag = ManagedObject("Bag", in: stack.context)
    bag.setValuesForKeys(["bytes": Data([9]), "anything": [1, 2], "cached": 4])
    #expect(bag.value(forKey: "bytes") as? Data == Data([9]))
    #expect(bag.value(forKey: "anything") as? [Int] == [1, 2])
    #expect(bag.value(forKey: "cached") as? Int32 == 4)
    try stack.context.save()
    #expect(bag.value(forKey: "cached") as? Int32 == 4)
    bag.setValuesForKeys(["bytes": nil, "anything": nil, "cached": nil])
    #expect(
      bag.dictionaryWithValues(forKeys: ["bytes", "anything", "cached"]).values.allSatisfy {
        $0 == nil
      })
  }
}

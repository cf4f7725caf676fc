import DataModel
import Testing

@testable import ManagedObjects

/// Many-to-many relationships whose columns would have equal names, which stores number in an order
/// of their own.
@Suite struct NumberedJoinTests {
  /// Three relationships `songs` lead to songs; their inverses sort `albums`, `lists`, `shows`.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(name: "Album", properties: [.toMany("songs", "Song", back: "albums")]),
    EntityDescription(
      name: "List", properties: [.toMany("songs", "Song", back: "lists", isOrdered: true)]),
    EntityDescription(name: "Show", properties: [.toMany("songs", "Song", back: "shows")]),
    EntityDescription(
      name: "Song",
      properties: [
        .toMany("albums", "Album", back: "songs"), .toMany("lists", "List", back: "songs"),
        .toMany("shows", "Show", back: "songs"), .value("name", .string),
      ]),
  ])
  private static let songs = PropertySlot(-1, "songs")
  private static let owners = ["Album", "List", "Show"]

  /// As found in a store of Core Data in iOS 8: numbers in another order than by name.
  private static let renumbering = """
    ALTER TABLE Z_2SONGS RENAME COLUMN Z_4SONGS1 TO Z_4SONGS2;
    ALTER TABLE Z_2SONGS RENAME COLUMN Z_FOK_4SONGS1 TO Z_FOK_4SONGS2;
    ALTER TABLE Z_3SONGS RENAME COLUMN Z_4SONGS2 TO Z_4SONGS;
    ALTER TABLE Z_1SONGS RENAME COLUMN Z_4SONGS TO Z_4SONGS1;
    """

  @Test func `columns are numbered by the inverses' names in a new store`() throws {
    let stack = try Stack(model: Self.model)
    for (number, column) in [(1, "Z_4SONGS"), (2, "Z_4SONGS1"), (3, "Z_4SONGS2")] {
      #expect(try SQLiteFile(stack.url).column("SELECT \(column) FROM Z_\(number)SONGS") == [])
    }
  }

  @Test func `a store that numbers its columns otherwise is read and written`() throws {
    let stack = try Stack(model: Self.model)
    for (number, name) in Self.owners.enumerated() {
      let owner = ManagedObject(name, in: stack.context)
      for place in 0...number { try add(song: "\(name) \(place)", to: owner) }
    }
    try stack.context.save()
    try SQLiteFile(stack.url).execute(Self.renumbering)

    let context = try stack.anotherContainer().newBackgroundContext()
    for (number, name) in Self.owners.enumerated() {
      let owner = try owner(name, in: context)
      #expect(names(of: owner) == (0...number).map { "\(name) \($0)" })
      try add(song: "\(name) new", to: owner)
    }
    try context.save()
    let again = try stack.anotherContainer().newBackgroundContext()
    for (number, name) in Self.owners.enumerated() {
      let expected = (0...number).map { "\(name) \($0)" } + ["\(name) new"]
      #expect(try names(of: owner(name, in: again)) == expected)
    }

    let reader = try StoreReader(contentsOf: stack.url)
    var members: [String: Int] = [:]
    for entity in try reader.entities(of: Self.model) where entity.name != "Song" {
      let rows = try entity.rows()
      while try rows.next() {
        try rows.forEachMember(of: 0) { _ in members[entity.name, default: 0] += 1 }
      }
    }
    #expect(members == ["Album": 2, "List": 3, "Show": 4])
  }

  private func add(song name: String, to owner: ManagedObject) throws {
    let context = try #require(owner.managedObjectContext)
    let song = ManagedObject("Song", in: context)
    song.setValue(name, forKey: "name")
    owner.add(song, to: Self.songs)
  }

  private func owner(
    _ entity: String, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).first)
  }

  /// The names of the songs; only a list has an order of its own.
  private func names(of owner: ManagedObject) -> [String] {
    let name = { (song: ManagedObject) in song.value(forKey: "name") as? String ?? "" }
    if owner.entity.name == "List" {
      let songs: OrderedSet<ManagedObject> = owner.orderedToMany(at: Self.songs)
      return songs.map(name)
    }
    let songs: Set<ManagedObject> = owner.unorderedToMany(at: Self.songs)
    return songs.map(name).sorted()
  }
}

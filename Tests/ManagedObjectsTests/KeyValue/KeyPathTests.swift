import Foundation
import ManagedObjects
import Testing

/// Key paths, and collection operators.
@Suite struct KeyPathTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Team",
      properties: [
        .value("name", .string), .toMany("players", "Player", back: "team", isOrdered: true),
        .toMany("friends", "Team", back: "friends"),
      ]),
    EntityDescription(
      name: "Player",
      properties: [
        .value("name", .string), .value("goals", .integer16), .value("height", .double),
        .value("steps", .integer64),
        .value("price", .decimal), .value("born", .date), .toOne("team", "Team", back: "players"),
        .toMany("cards", "Card", back: "player"),
      ]),
    EntityDescription(name: "Card", properties: [.toOne("player", "Player", back: "cards")]),
  ])

  private static func day(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
  }

  /// A team of three players, the last of whom has hardly any values.
  private func team(in stack: Stack) throws -> ManagedObject {
    let team = ManagedObject("Team", in: stack.context)
    let players = (0..<3).map { _ in ManagedObject("Player", in: stack.context) }
    players[0].setValuesForKeys([
      "name": "Ada", "goals": 3, "height": 1.5, "price": Decimal(string: "0.1"),
      "born": Self.day(2),
    ])
    players[1].setValuesForKeys([
      "name": "Bea", "goals": 6, "height": 2.0, "price": Decimal(string: "0.2"),
      "born": Self.day(1),
      "cards": [
        ManagedObject("Card", in: stack.context), ManagedObject("Card", in: stack.context),
      ],
    ])
    players[2].setValue("Ada", forKey: "name")
    team.setValuesForKeys(["name": "Reds", "players": players])
    try stack.context.save()
    // As another context reads it.
    let context = stack.anotherContext()
    stack.rereading.append(context)
    return try context.existingObject(with: team.objectID)
  }

  @Test(arguments: Stack.allTypes)
  func `a key path leads through to-ones and to-manys`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let team = try team(in: stack)
    defer { withExtendedLifetime(stack) {} }
    let players = try #require(team.value(forKey: "players") as? OrderedSet<ManagedObject>)
    #expect(players[0].value(forKeyPath: "team.name") as? String == "Reds")
    #expect(team.value(forKeyPath: "players.name") as? [String] == ["Ada", "Bea", "Ada"])
    #expect(team.value(forKeyPath: "players.goals") as? [Int16?] == [3, 6, nil])
    #expect(team.value(forKeyPath: "players.team.name") as? [String] == ["Reds", "Reds", "Reds"])
    #expect(team.value(forKeyPath: "players.cards.@count") as? [Int] == [0, 2, 0])
    players[0].setValue(nil, forKey: "team")
    #expect(players[0].value(forKeyPath: "team.name") == nil)
    players[0].setValue("nobody hears", forKeyPath: "team.name")
    players[1].setValue("Blues", forKeyPath: "team.name")
    #expect(team.value(forKey: "name") as? String == "Blues")
  }

  @Test(arguments: Stack.allTypes)
  func `operators count, sum and compare`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let team = try team(in: stack)
    defer { withExtendedLifetime(stack) {} }
    #expect(team.value(forKeyPath: "players.@count") as? Int == 3)
    #expect(team.value(forKeyPath: "players.@sum.goals") as? Int64 == 9)
    #expect(team.value(forKeyPath: "players.@avg.goals") as? Double == 3)
    #expect(team.value(forKeyPath: "players.@max.goals") as? Int16 == 6)
    #expect(team.value(forKeyPath: "players.@min.goals") as? Int16 == 3)
    #expect(team.value(forKeyPath: "players.@sum.height") as? Double == 3.5)
    #expect(team.value(forKeyPath: "players.@min.height") as? Double == 1.5)
    #expect(team.value(forKeyPath: "players.@sum.price") as? Decimal == Decimal(string: "0.3"))
    #expect(team.value(forKeyPath: "players.@avg.price") as? Decimal == Decimal(string: "0.1"))
    #expect(team.value(forKeyPath: "players.@min.born") as? Date == Self.day(1))
    #expect(team.value(forKeyPath: "players.@max.name") as? String == "Bea")
    #expect(team.value(forKeyPath: "players.@max.cards.@count") as? Int == 2)
    #expect(
      team.value(forKeyPath: "players.@distinctUnionOfObjects.name") as? [String] == ["Ada", "Bea"])
    #expect(
      team.value(forKeyPath: "players.@unionOfObjects.name") as? [String] == ["Ada", "Bea", "Ada"])
    #expect(
      (team.value(forKeyPath: "players.@distinctUnionOfObjects.team") as? [ManagedObject]) == [team]
    )
  }

  @Test(arguments: Stack.allTypes)
  func `operators have defined results for an empty collection`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type, model: Self.model)
    let team = ManagedObject("Team", in: stack.context)
    #expect(team.value(forKeyPath: "players.@count") as? Int == 0)
    #expect(team.value(forKeyPath: "players.@sum.goals") as? Int64 == 0)
    #expect(team.value(forKeyPath: "players.@avg.goals") == nil)
    #expect(team.value(forKeyPath: "players.@max.goals") == nil)
    #expect((team.value(forKeyPath: "players.@distinctUnionOfObjects.name") as? [String]) == [])
  }

  @Test(arguments: Stack.allTypes)
  func `a sum too large for an integer becomes a floating-point number`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let team = try team(in: stack)
    defer { withExtendedLifetime(stack) {} }
    for player in team.mutableOrderedSetValue(forKey: "players") {
      player.setValue(Int64.max, forKey: "steps")
    }
    #expect(team.value(forKeyPath: "players.@sum.steps") as? Double == 3 * 0x1p63)
    #expect(team.value(forKeyPath: "players.@max.steps") as? Int64 == .max)
  }
}

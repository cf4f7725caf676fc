import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// The order keys that lists get in the file: Apple's numbers.
@Suite struct OrderKeyTests {
  let stack: Stack
  let file: SQLiteFile

  init() throws {
    stack = try Stack()
    file = try SQLiteFile(stack.url)
  }

  /// The order keys of Fido's walks by their lengths in minutes: "5:2048 7:3072".
  private func keys(of dog: String = "Fido") throws -> String {
    try file.column(
      """
      SELECT CAST(ZDURATION / 60 AS INTEGER) || ':' || Z_FOK_DOG
      FROM ZWALK WHERE ZDOG = (SELECT Z_PK FROM ZDOG WHERE ZNAME = '\(dog)') ORDER BY Z_FOK_DOG
      """
    ).joined(separator: " ")
  }

  /// How often each walk was saved, by length: "5:1 7:2".
  private func versions() throws -> String {
    try file.column("SELECT CAST(ZDURATION / 60 AS INTEGER) || ':' || Z_OPT FROM ZWALK ORDER BY 1")
      .joined(separator: " ")
  }

  @Test func `the first walk gets 2048, and the next ones 1024 more`() throws {
    try stack.dog("Fido", minutes: [1, 2, 3])
    #expect(try keys() == "1:2048 2:3072 3:4096")
  }

  @Test func `appending continues from the stored keys, without reading the list`() throws {
    try stack.dog("Fido", minutes: [1, 2])
    let context = stack.anotherContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks(stack.walk(minutes: 3, in: context))
    try context.save()
    #expect(try keys() == "1:2048 2:3072 3:4096")
  }

  @Test func `a walk inserted before the first gets half its key`() throws {
    let fido = try stack.dog("Fido", minutes: [1])
    fido.insertIntoWalks(stack.walk(minutes: 2), at: 0)
    try stack.context.save()
    #expect(try keys() == "2:1024 1:2048")
  }

  @Test func `several walks inserted at the beginning get even steps below the first key`() throws {
    let fido = try stack.dog("Fido", minutes: [1])
    for place in 0..<3 { fido.insertIntoWalks(stack.walk(minutes: 2 + place), at: place) }
    try stack.context.save()
    #expect(try keys() == "2:512 3:1024 4:1536 1:2048")
  }

  @Test func `walks inserted between two are spaced evenly`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    fido.insertIntoWalks(stack.walk(minutes: 3), at: 1)
    fido.insertIntoWalks(stack.walk(minutes: 4), at: 2)
    try stack.context.save()
    #expect(try keys() == "1:2048 3:2389 4:2730 2:3072")
  }

  @Test func `removing a walk leaves a gap`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2, 3])
    stack.context.delete(fido.walks[1])
    try stack.context.save()
    #expect(try keys() == "1:2048 3:4096")
  }

  @Test func `moving a walk writes only that one`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2, 3])
    var walks = fido.walks
    walks.move(fromOffset: 2, toOffset: 0)
    fido.walks = walks
    try stack.context.save()
    #expect(try keys() == "3:1024 1:2048 2:3072")
    #expect(try versions() == "1:1 2:1 3:2")
  }

  @Test func `a list without space is renumbered, and the moved walks' versions incremented`()
    throws
  {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    try file.execute("UPDATE ZWALK SET Z_FOK_DOG = 2049 WHERE Z_FOK_DOG = 3072")
    fido.insertIntoWalks(stack.walk(minutes: 3), at: 1)
    try stack.context.save()
    #expect(try keys() == "1:2048 3:3072 2:4096")
    #expect(try versions() == "1:1 2:2 3:1")
  }

  @Test func `a walk added by another process stays after its neighbour`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    #expect(fido.minutes == [1, 2])
    try file.execute(
      """
      INSERT INTO ZWALK (Z_PK, Z_ENT, Z_OPT, ZDOG, Z_FOK_DOG, ZDATE, ZDURATION, ZISONGOING)
      VALUES (90, 2, 1, 1, 2560, 0, 540, 0)
      """)
    var walks = fido.walks
    walks.move(fromOffset: 1, toOffset: 0)
    fido.walks = walks
    try stack.context.save()
    #expect(try keys() == "2:1024 1:2048 9:2560")
    #expect(try versions() == "1:1 2:2 9:1")
  }

  @Test func `two processes that append at the same time keep both walks`() throws {
    try stack.dog("Fido", minutes: [1])
    let others = try (0..<2).map { _ in try stack.anotherContainer().newBackgroundContext() }
    for (place, context) in others.enumerated() {
      let fido = try Dog.findOrCreate(named: "Fido", in: context)
      fido.addToWalks(stack.walk(minutes: 2 + place, in: context))
    }
    for context in others { try context.save() }
    #expect(try keys() == "1:2048 2:3072 3:4096")
  }

  @Test func `a walk moved to another dog is at the end there`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    let rex = try stack.dog("Rex", minutes: [3])
    fido.walks[0].dog = rex
    try stack.context.save()
    #expect(try keys() == "2:3072")
    #expect(try keys(of: "Rex") == "3:2048 1:3072")
  }

  @Test func `keys at the end of 64 bits are renumbered by an append`() throws {
    try stack.dog("Fido", minutes: [1, 2])
    try file.execute("UPDATE ZWALK SET Z_FOK_DOG = 9223372036854775807 WHERE Z_PK = 2")
    let context = stack.anotherContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks(stack.walk(minutes: 3, in: context))
    try context.save()
    #expect(try keys() == "1:2048 2:3072 3:4096")
    #expect(fido.minutes == [1, 2, 3])
  }

  @Test func `members without an order key come first until the list is rearranged`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    try file.execute("UPDATE ZWALK SET Z_FOK_DOG = NULL")
    fido.insertIntoWalks(stack.walk(minutes: 3), at: 2)
    fido.insertIntoWalks(stack.walk(minutes: 4), at: 0)
    try stack.context.save()
    #expect(Set(try file.column("SELECT Z_FOK_DOG FROM ZWALK")).count == 4)
    let other = stack.anotherContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: other).minutes == [4, 1, 2, 3])
  }
}

import DogWalkModel
import ManagedObjects
import Testing

@Suite struct OrderedSetTests {
  private let stack: Stack
  private let walks: [Walk]

  init() throws {
    stack = try Stack(.inMemory)
    walks = [stack.walk(minutes: 0), stack.walk(minutes: 1), stack.walk(minutes: 2)]
  }

  @Test func `the first of duplicate objects counts`() {
    #expect(OrderedSet([walks[1], walks[0], walks[1]]).array == [walks[1], walks[0]])
    let literal: OrderedSet = [walks[1], walks[0], walks[1]]
    #expect(literal.array == [walks[1], walks[0]])
  }

  @Test func `sets with the same objects in the same order are equal`() {
    #expect(OrderedSet(walks) == OrderedSet(walks))
    #expect(OrderedSet(walks) != OrderedSet(walks.reversed()))
    #expect(OrderedSet(walks) != OrderedSet(walks.dropLast()))
  }

  @Test func `it is a collection`() {
    let set = OrderedSet(walks)
    #expect(set.startIndex == 0 && set.endIndex == 3 && set.count == 3)
    #expect(set.last === walks[2])
    #expect(set.firstIndex { $0 === walks[1] } == 1)
  }

  @Test func `an object has an index`() {
    let set = OrderedSet(walks.prefix(2))
    #expect(set.index(of: walks[1]) == 1)
    #expect(set.index(of: walks[2]) == nil)
    #expect(set.contains(walks[0]) && !set.contains(walks[2]))
  }

  @Test func `appending adds an object once`() {
    var set = OrderedSet(walks.prefix(2))
    let results = [set.append(walks[2]), set.append(walks[0])]
    #expect(results == [true, false])
    #expect(set.array == walks)
  }

  @Test func `inserting adds an object once`() {
    var set = OrderedSet(walks.dropFirst())
    let results = [set.insert(walks[0], at: 0), set.insert(walks[2], at: 0)]
    #expect(results == [true, false])
    #expect(set.array == walks)
  }

  @Test func `removing returns the removed object`() {
    var set = OrderedSet(walks)
    let removed = [set.remove(at: 0), set.remove(walks[2]), set.remove(walks[2])]
    #expect(removed == [walks[0], walks[2], nil])
    #expect(set.array == [walks[1]])
  }

  @Test func `the destination index of a move is counted after the removal`() {
    var set = OrderedSet(walks)
    set.move(fromOffset: 0, toOffset: 2)
    #expect(set.array == [walks[1], walks[2], walks[0]])
    set.move(fromOffset: 2, toOffset: 0)
    #expect(set.array == walks)
  }

  @Test func `changing a copy leaves the dog unchanged`() throws {
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    dog.walks = OrderedSet(walks)
    var copy = dog.walks
    copy.remove(at: 0)
    #expect(dog.walks.array == walks)
  }
}

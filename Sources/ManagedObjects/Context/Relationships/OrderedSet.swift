import DataModel

/// An ordered collection of unique objects: the value of an ordered to-many relationship.
///
///     for walk in fido.walks { print(walk.date) }
///     var walks = fido.walks
///     walks.move(fromOffset: 0, toOffset: 2)
///     fido.walks = walks
///
/// A value: changing a copy has no effect until it is assigned. Like Core Data's `NSOrderedSet`,
/// with the interface of a Swift collection. `contains` and `index(of:)` are O(n).
public struct OrderedSet<Element: ManagedObject>: RandomAccessCollection, ExpressibleByArrayLiteral
{
  /// The elements in order.
  public private(set) var array: [Element]

  /// Creates a set of some objects; duplicates after the first are ignored.
  public init(_ elements: some Sequence<Element>) {
    var seen: Set<ObjectIdentifier> = []
    array = elements.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Creates a set of some objects; duplicates after the first are ignored.
  public init(arrayLiteral elements: Element...) { self.init(elements) }

  /// Wraps an array without duplicates.
  init(unique array: [Element]) { self.array = array }

  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// One past the last index.
  public var endIndex: Int { array.count }
  /// The object at an index.
  ///
  /// - Precondition: there is an object at that index.
  public subscript(position: Int) -> Element {
    requireMember(position)
    return array[position]
  }

  private func requireMember(_ index: Int) {
    require(
      array.indices.contains(index),
      "The index \(index) is out of range for an ordered set of \(count).")
  }

  private func requireEnd(_ index: Int) {
    require(
      0...count ~= index,
      "Nothing can be inserted at the index \(index) of an ordered set of \(count).")
  }

  /// The index of an object, or nil if it is not a member.
  ///
  /// O(n).
  public func index(of element: Element) -> Int? { array.firstIndex { $0 === element } }

  /// Whether an object is a member.
  ///
  /// O(n).
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }

  /// Appends an object, unless it is a member already; returns whether it was appended.
  ///
  ///     walks.append(walk)   // true
  ///     walks.append(walk)   // false: it is there already
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    guard !contains(element) else { return false }
    array.append(element)
    return true
  }

  /// Inserts an object at an index, unless it is a member already; returns whether it was inserted.
  ///
  ///     walks.insert(walk, at: 0)
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> Bool {
    requireEnd(index)
    guard !contains(element) else { return false }
    array.insert(element, at: index)
    return true
  }

  /// Removes and returns the object at an index.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    requireMember(index)
    return array.remove(at: index)
  }

  /// Removes and returns an object; returns nil if it was not a member.
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    index(of: element).map { array.remove(at: $0) }
  }

  /// Moves the object at an index to another index, which is counted without it.
  ///
  ///     walks.move(fromOffset: 0, toOffset: 2)   // [a, b, c] becomes [b, c, a]
  public mutating func move(fromOffset source: Int, toOffset destination: Int) {
    let element = remove(at: source)
    requireEnd(destination)
    array.insert(element, at: destination)
  }
}

extension OrderedSet: Equatable {
  /// Whether both sets have the same objects in the same order.
  public static func == (one: OrderedSet, other: OrderedSet) -> Bool {
    one.array.elementsEqual(other.array, by: ===)
  }
}

@available(*, unavailable) extension OrderedSet: Sendable {}

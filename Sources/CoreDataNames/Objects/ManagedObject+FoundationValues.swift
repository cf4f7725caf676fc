public import Foundation
public import ManagedObjects

/// What momc's accessors call where a target imports CoreDataNames: values of Foundation's classes.
extension ManagedObject {
  /// The number of an attribute.
  public func numberValue<Number: FoundationNumber>(
    of type: Number.Type, at place: PropertySlot
  ) -> NSNumber? {
    (optionalValue(at: place) as Number?).map(\.foundationNumber)
  }

  /// Sets the number of an attribute.
  public func setNumberValue<Number: FoundationNumber>(
    _ value: NSNumber?, of type: Number.Type, at place: PropertySlot
  ) {
    setOptionalValue(value.map { Number(truncating: $0) }, at: place)
  }

  /// The decimal number of an attribute.
  public func decimalNumberValue(at place: PropertySlot) -> NSDecimalNumber? {
    (optionalValue(at: place) as Decimal?).map(NSDecimalNumber.init)
  }

  /// Sets the decimal number of an attribute.
  public func setDecimalNumberValue(_ value: NSDecimalNumber?, at place: PropertySlot) {
    setOptionalValue(value?.decimalValue, at: place)
  }

  /// The members of a to-many, as a set of their own that changes nothing here.
  ///
  /// O(members).
  public func foundationSet(at place: PropertySlot) -> NSSet {
    NSSet(array: Array(unorderedToMany(at: place) as Set<ManagedObject>))
  }

  /// Sets the members of a to-many.
  ///
  /// - Precondition: they are managed objects.
  public func setFoundationSet(_ value: NSSet?, at place: PropertySlot) {
    setUnorderedToMany(Set(Self.objects(value?.allObjects)), at: place)
  }

  /// The members of an ordered to-many in their order, as a set of their own.
  ///
  /// O(members).
  public func foundationOrderedSet(at place: PropertySlot) -> NSOrderedSet {
    NSOrderedSet(array: (orderedToMany(at: place) as OrderedSet<ManagedObject>).array)
  }

  /// Sets the members of an ordered to-many.
  ///
  /// - Precondition: they are managed objects.
  public func setFoundationOrderedSet(_ value: NSOrderedSet?, at place: PropertySlot) {
    setOrderedToMany(OrderedSet(Self.objects(value?.array)), at: place)
  }

  /// Adds the members of a set to a to-many.
  public func add(_ values: NSSet, to place: PropertySlot) {
    add(Set(Self.objects(values.allObjects)), to: place)
  }

  /// Takes the members of a set out of a to-many.
  public func remove(_ values: NSSet, from place: PropertySlot) {
    remove(Set(Self.objects(values.allObjects)), from: place)
  }

  /// Adds the members of a set to an ordered to-many, at its end.
  public func add(_ values: NSOrderedSet, to place: PropertySlot) {
    add(OrderedSet(Self.objects(values.array)), to: place)
  }

  /// Takes the members of a set out of an ordered to-many.
  public func remove(_ values: NSOrderedSet, from place: PropertySlot) {
    remove(OrderedSet(Self.objects(values.array)), from: place)
  }

  private static func objects(_ values: [Any]?) -> [ManagedObject] {
    (values ?? []).map { value in
      guard let object = value as? ManagedObject else {
        fatalError("A relationship has managed objects, not \(type(of: value)).")
      }
      return object
    }
  }
}

/// A type of Swift's that numbers of attributes have.
public protocol FoundationNumber: SlotValue {
  /// Takes what a number of Foundation's has of it.
  init(truncating number: NSNumber)
  /// The number as Foundation has it.
  var foundationNumber: NSNumber { get }
}

extension Int16: FoundationNumber {
  /// The number as Foundation has it.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}
extension Int32: FoundationNumber {
  /// The number as Foundation has it.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}
extension Int64: FoundationNumber {
  /// The number as Foundation has it.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}
extension Double: FoundationNumber {
  /// The number as Foundation has it.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}
extension Float: FoundationNumber {
  /// The number as Foundation has it.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}
extension Bool: FoundationNumber {
  /// The number as Foundation has it.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}

extension RangeSet<Int> {
  /// Takes the indexes of a set of Foundation's.
  public init(_ indexes: NSIndexSet) {
    self.init()
    for index in indexes { insert(index, within: 0..<Int.max) }
  }
}

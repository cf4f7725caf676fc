/// Accessors with values of Foundation's classes, which momc uses in targets that import
/// CoreDataNames.
extension ManagedObject {
  /// The number of an attribute.
  public func numberValue<Number: FoundationNumber>(
    of type: Number.Type, at property: PropertySlot
  ) -> NSNumber? {
    (optionalValue(at: property) as Number?).map(\.foundationNumber)
  }

  /// Sets the number of an attribute.
  public func setNumberValue<Number: FoundationNumber>(
    _ value: NSNumber?, of type: Number.Type, at property: PropertySlot
  ) {
    setOptionalValue(value.map { Number(truncating: $0) }, at: property)
  }

  /// The decimal number of an attribute.
  public func decimalNumberValue(at property: PropertySlot) -> NSDecimalNumber? {
    (optionalValue(at: property) as Decimal?).map(NSDecimalNumber.init)
  }

  /// Sets the decimal number of an attribute.
  public func setDecimalNumberValue(_ value: NSDecimalNumber?, at property: PropertySlot) {
    setOptionalValue(value?.decimalValue, at: property)
  }

  /// The members of a to-many as a separate set; changes of it do not affect the object.
  ///
  /// O(members).
  public func foundationSet(at property: PropertySlot) -> NSSet {
    NSSet(array: Array(unorderedToMany(at: property) as Set<ManagedObject>))
  }

  /// Sets the members of a to-many.
  ///
  /// - Precondition: they are managed objects.
  public func setFoundationSet(_ value: NSSet?, at property: PropertySlot) {
    setUnorderedToMany(Set(Self.objects(value?.allObjects)), at: property)
  }

  /// The members of an ordered to-many in their order, as a separate set.
  ///
  /// O(members).
  public func foundationOrderedSet(at property: PropertySlot) -> NSOrderedSet {
    NSOrderedSet(array: (orderedToMany(at: property) as OrderedSet<ManagedObject>).array)
  }

  /// Sets the members of an ordered to-many.
  ///
  /// - Precondition: they are managed objects.
  public func setFoundationOrderedSet(_ value: NSOrderedSet?, at property: PropertySlot) {
    setOrderedToMany(OrderedSet(Self.objects(value?.array)), at: property)
  }

  /// Adds the members of a set to a to-many.
  public func add(_ values: NSSet, to property: PropertySlot) {
    add(Set(Self.objects(values.allObjects)), to: property)
  }

  /// Removes the members of a set from a to-many.
  public func remove(_ values: NSSet, from property: PropertySlot) {
    remove(Set(Self.objects(values.allObjects)), from: property)
  }

  /// Adds the members of a set to an ordered to-many, at its end.
  public func add(_ values: NSOrderedSet, to property: PropertySlot) {
    add(OrderedSet(Self.objects(values.array)), to: property)
  }

  /// Removes the members of a set from an ordered to-many.
  public func remove(_ values: NSOrderedSet, from property: PropertySlot) {
    remove(OrderedSet(Self.objects(values.array)), from: property)
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

extension Int16: FoundationNumber {
  /// The number as an `NSNumber`.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}

extension Int32: FoundationNumber {
  /// The number as an `NSNumber`.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}

extension Int64: FoundationNumber {
  /// The number as an `NSNumber`.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}

extension Double: FoundationNumber {
  /// The number as an `NSNumber`.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}

extension Float: FoundationNumber {
  /// The number as an `NSNumber`.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}

extension Bool: FoundationNumber {
  /// The number as an `NSNumber`.
  public var foundationNumber: NSNumber { NSNumber(value: self) }
}

extension RangeSet<Int> {
  /// Creates a range set from an index set of Foundation's.
  public init(_ indexes: NSIndexSet) {
    self.init()
    for index in indexes { insert(index, within: 0..<Int.max) }
  }
}

public import Foundation
public import ManagedObjects

extension NSSortDescriptor {
  /// Creates a sort descriptor for an attribute, or a key path through to-ones that ends in one.
  ///
  ///     request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
  ///
  /// It is Foundation's class, which has no keys on systems without Objective-C.
  ///
  /// - Precondition: the key is not nil.
  public convenience init(key: String?, ascending: Bool) {
    self.init(FetchSortDescriptor(key: Self.required(key), ascending: ascending))
  }

  /// Creates a sort descriptor with another comparison of strings.
  ///
  ///     NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
  ///
  /// - Precondition: the key is not nil, and the method is `compare:`, `caseInsensitiveCompare:`,
  ///   `localizedStandardCompare:`, `localizedCompare:` or `localizedCaseInsensitiveCompare:`.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    let how: FetchSortDescriptor.Selector
    switch selector?.name {
    case nil, "compare:": how = .compare
    case "caseInsensitiveCompare:": how = .caseInsensitiveCompare
    case "localizedStandardCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:":
      how = .localizedStandardCompare
    case let name?: fatalError("No store can sort by \(name)")
    }
    self.init(FetchSortDescriptor(key: Self.required(key), ascending: ascending, selector: how))
  }

  /// Creates a sort descriptor for the property that a key path reads.
  ///
  ///     NSSortDescriptor(keyPath: \Dog.name, ascending: true)
  ///
  /// - Precondition: the key path reads a stored property, directly or through to-ones.
  public convenience init<Root: ManagedObject, Value>(
    keyPath: KeyPath<Root, Value>, ascending: Bool
  ) {
    self.init(FetchSortDescriptor(keyPath: keyPath, ascending: ascending))
  }

  /// Creates a sort descriptor for the property that a key path reads.
  ///
  /// - Precondition: as above.
  public convenience init<Root: ManagedObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>, ascending: Bool
  ) {
    self.init(FetchSortDescriptor(keyPath: keyPath, ascending: ascending))
  }

  /// Creates Foundation's sort descriptor from one of the library's.
  public convenience init(_ sort: FetchSortDescriptor) {
    self.init(keyPath: \Any.self, ascending: sort.ascending) { one, other in
      if let reader = one as? SortReader {
        reader.sort = sort
        return .orderedSame
      }
      guard let one = one as? ManagedObject, let other = other as? ManagedObject else {
        fatalError("A sort descriptor with a key compares managed objects only.")
      }
      return sort.compareValues(of: one, and: other)
    }
  }

  /// The key to sort by; nil for a descriptor without one.
  public var key: String? { madeOf?.key }

  /// The library's sort descriptor.
  ///
  /// - Precondition: the descriptor was created with a key, or a key path of a managed object.
  public var fetchSortDescriptor: FetchSortDescriptor {
    guard let sort = madeOf else {
      fatalError("A store sorts by descriptors with keys, or key paths of managed objects.")
    }
    return sort
  }

  private var madeOf: FetchSortDescriptor? {
    guard keyPath == \Any.self else { return nil }
    let reader = SortReader()
    _ = comparator(reader, reader)
    // It may have been reversed.
    reader.sort?.ascending = ascending
    return reader.sort
  }

  private static func required(_ key: String?) -> String {
    guard let key else { fatalError("A sort descriptor needs a key.") }
    return key
  }
}

/// A placeholder object: a sort descriptor with a key that compares it stores its contents in it.
private final class SortReader {
  var sort: FetchSortDescriptor?
}

extension FetchSortDescriptor {
  /// Compares two objects by their values here as a fetch does, the smaller one first; a missing
  /// value is smallest.
  fileprivate func compareValues(
    of one: ManagedObject, and other: ManagedObject
  ) -> ComparisonResult {
    compare(attributeValue(of: one), attributeValue(of: other))
  }

  private func attributeValue(of object: ManagedObject) -> AttributeValue? {
    guard let value = object.value(forKeyPath: key) else { return nil }
    if let number = value as? NSNumber { return number.attributeValue }
    guard let value = AttributeValue(value) else {
      fatalError("\(object.entity.storedName).\(key) has values that a fetch cannot sort by.")
    }
    return value
  }
}

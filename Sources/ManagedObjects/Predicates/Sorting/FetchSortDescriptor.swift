public import DataModel
public import SystemLibraries
import TextMatching

/// A property to sort fetched objects by.
///
///     FetchSortDescriptor(key: "date", ascending: false)
///     FetchSortDescriptor(key: "dog.name", selector: .localizedStandardCompare)
///
/// Missing values come first, or last in descending order. Equal rows are sorted by the next
/// descriptor, and finally by primary key, so that the order is always determined. The SQLite store
/// sorts by SQL unless there is a comparator. Follows Core Data's `NSSortDescriptor`.
public struct FetchSortDescriptor: Sendable, Hashable {
  /// The comparison of two values.
  public enum Selector: Sendable, Hashable {
    /// Numbers and dates by size, texts by their UTF-8 bytes, which is the order of Unicode
    /// scalars.
    case compare
    /// Texts by Unicode scalars, ignoring case; other values as with `compare`.
    case caseInsensitiveCompare
    /// Texts in natural order: "walk 2" before "walk 10", é next to e, the same in every locale.
    case localizedStandardCompare
    /// By a closure.
    case comparator(Comparator)
  }

  /// A closure that compares two values; equal only to itself.
  public final class Comparator: Sendable, Hashable {
    let compare: @Sendable (AttributeValue, AttributeValue) -> ComparisonResult

    init(_ compare: @escaping @Sendable (AttributeValue, AttributeValue) -> ComparisonResult) {
      self.compare = compare
    }

    /// Whether both are the same object.
    public static func == (one: Comparator, other: Comparator) -> Bool { one === other }
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The name of an attribute, or a key path through to-ones that ends in one: `dog.name`.
  public var key: String
  /// Whether small values come first.
  public var ascending: Bool
  /// The comparison of two values.
  public var selector: Selector

  /// Creates a sort descriptor.
  public init(key: String, ascending: Bool = true, selector: Selector = .compare) {
    self.key = key
    self.ascending = ascending
    self.selector = selector
  }

  /// Creates a sort descriptor that compares by a closure; the closure is never called with missing
  /// values.
  ///
  ///     FetchSortDescriptor(key: "mood") { one, other in
  ///       "\(one)".count < "\(other)".count ? .orderedAscending : .orderedDescending
  ///     }
  ///
  /// All objects that the predicate finds are then sorted in memory, whatever the limit.
  public init(
    key: String, ascending: Bool = true,
    comparator: @escaping @Sendable (AttributeValue, AttributeValue) -> ComparisonResult
  ) {
    self.init(key: key, ascending: ascending, selector: .comparator(Comparator(comparator)))
  }

  /// The descriptor for the opposite order.
  public var reversedSortDescriptor: FetchSortDescriptor {
    FetchSortDescriptor(key: key, ascending: !ascending, selector: selector)
  }
}

extension FetchSortDescriptor.Selector {
  /// How it compares texts; by their bytes if a closure compares.
  var textOrder: TextOrder {
    switch self {
    case .compare, .comparator: .bytes
    case .caseInsensitiveCompare: .caseInsensitive
    case .localizedStandardCompare: .natural
    }
  }
}

extension FetchSortDescriptor {
  /// Compares two values in ascending order, as a fetch does; nil before all others.
  package func compare(_ one: AttributeValue?, _ other: AttributeValue?) -> ComparisonResult {
    guard let one, let other else {
      return ComparisonResult((one == nil ? 0 : 1) - (other == nil ? 0 : 1))
    }
    if case .comparator(let comparator) = selector { return comparator.compare(one, other) }
    guard case .string(let one) = one, case .string(let other) = other else {
      return ComparisonResult(one.compare(other))
    }
    return ComparisonResult(
      Array(one.utf8).withUnsafeBytes { one in
        Array(other.utf8).withUnsafeBytes { selector.textOrder.compare(one, $0) }
      })
  }
}

extension ComparisonResult {
  /// Converts a negative, zero or positive number.
  fileprivate init(_ order: Int) {
    self = order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
  }
}

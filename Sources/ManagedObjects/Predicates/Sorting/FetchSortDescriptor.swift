public import DataModel
public import SystemLibraries

/// A property to sort fetched objects by.
///
///     FetchSortDescriptor(key: "date", ascending: false)
///     FetchSortDescriptor(key: "dog.name", selector: .localizedStandardCompare)
///
/// Missing values stand before all others, behind them where descending. What is equal is sorted by
/// the next descriptor, at last by primary key, so an order is always the same. The SQLite store
/// sorts by SQL, but for a comparator. Follows Core Data's `NSSortDescriptor`.
public struct FetchSortDescriptor: Sendable, Hashable {
  /// How two values are compared.
  public enum Selector: Sendable, Hashable {
    /// Numbers and instants by size, texts by their UTF-8 bytes, which is by Unicode's scalars.
    case compare
    /// Texts without regard to case, by their scalars else; other values as with `compare`.
    case caseInsensitiveCompare
    /// Texts as people expect a list: "walk 2" before "walk 10", é beside e, the same in every
    /// locale.
    case localizedStandardCompare
    /// By a closure.
    case comparator(Comparator)
  }

  /// A closure that compares two values; equal to itself alone.
  public final class Comparator: Sendable, Hashable {
    let compare: @Sendable (AttributeValue, AttributeValue) -> ComparisonResult

    init(_ compare: @escaping @Sendable (AttributeValue, AttributeValue) -> ComparisonResult) {
      self.compare = compare
    }

    /// Whether both are the same closure, made once.
    public static func == (one: Comparator, other: Comparator) -> Bool { one === other }
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The name of an attribute, or a key path through to-ones that ends in one: `dog.name`.
  public var key: String
  /// Whether small values stand first.
  public var ascending: Bool
  /// How two values are compared.
  public var selector: Selector

  /// Creates a sort descriptor.
  public init(key: String, ascending: Bool = true, selector: Selector = .compare) {
    self.key = key
    self.ascending = ascending
    self.selector = selector
  }

  /// Creates a sort descriptor that compares by a closure; missing values never come to it.
  ///
  ///     FetchSortDescriptor(key: "mood") { one, other in
  ///       "\(one)".count < "\(other)".count ? .orderedAscending : .orderedDescending
  ///     }
  ///
  /// The objects are sorted in memory then, all that the predicate finds, whatever the limit.
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

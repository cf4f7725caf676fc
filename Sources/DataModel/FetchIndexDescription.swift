/// An index that the store maintains, so that fetches by these properties need not scan every row.
///
///     FetchIndexDescription(name: "byDate", elements: [.init(propertyName: "date", isAscending: false)])
///
/// Follows Core Data's `NSFetchIndexDescription`.
public struct FetchIndexDescription: Sendable, Hashable {
  /// The type of an index.
  public enum CollationType: Int, Sendable, Hashable {
    /// An index in the order of the values.
    case binary = 0
    /// An index of ranges of numbers, for locations on a map.
    case rTree = 1
  }

  /// One property of an index.
  ///
  ///     FetchIndexDescription.Element(propertyName: "date", isAscending: false)   // newest first
  public struct Element: Sendable, Hashable {
    /// The name of an attribute or of a to-one relationship; "" if an expression is indexed.
    public var propertyName: String
    /// The indexed expression, or nil for a property.
    public var expression: String?
    /// The type of the index.
    public var collationType: CollationType
    /// Whether the order is ascending.
    public var isAscending: Bool

    /// Creates an element of an index.
    public init(
      propertyName: String, expression: String? = nil, collationType: CollationType = .binary,
      isAscending: Bool = true
    ) {
      self.propertyName = propertyName
      self.expression = expression
      self.collationType = collationType
      self.isAscending = isAscending
    }
  }

  /// The index's name, unique in its entity.
  public var name: String
  /// The properties, the most significant first.
  public var elements: [Element]
  /// The condition on rows that are in the index, as a predicate format, or nil for all.
  ///
  ///     index.partialIndexPredicate = "duration > 3600"
  public var partialIndexPredicate: String?

  /// Creates an index.
  public init(name: String, elements: [Element], partialIndexPredicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }
}

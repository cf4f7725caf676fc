/// An index that the store keeps so that fetches by these properties need not read every row.
///
///     FetchIndexDescription(name: "byDate", elements: [.init(propertyName: "date", isAscending: false)])
///
/// Follows Core Data's `NSFetchIndexDescription`.
public struct FetchIndexDescription: Sendable, Hashable {
  /// How an index finds its rows.
  public enum CollationType: Int, Sendable, Hashable {
    /// By the order of the values.
    case binary = 0
    /// By ranges of numbers, for places on a map.
    case rTree = 1
  }

  /// One property of an index.
  ///
  ///     FetchIndexDescription.Element(propertyName: "date", isAscending: false)   // newest first
  public struct Element: Sendable, Hashable {
    /// The name of an attribute or of a to-one relationship; "" where an expression is indexed.
    public var propertyName: String
    /// What is indexed in place of a property, or nil.
    public var expression: String?
    /// How the index finds its rows.
    public var collationType: CollationType
    /// Whether small values stand first.
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
  /// What is said of the rows that the index holds, in the format of predicates, or nil for all.
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

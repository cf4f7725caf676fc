/// An index that the store keeps so that fetches by these properties need not read every row.
///
///     FetchIndexDescription(name: "byDate", elements: [.init(propertyName: "date", isAscending: false)])
///
/// Follows Core Data's `NSFetchIndexDescription`.
public struct FetchIndexDescription: Sendable, Hashable {
  /// One property of an index.
  public struct Element: Sendable, Hashable {
    /// The name of an attribute or of a to-one relationship.
    public var propertyName: String
    /// Whether small values stand first.
    public var isAscending: Bool

    /// Creates an element of an index.
    public init(propertyName: String, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.isAscending = isAscending
    }
  }

  /// The index's name, unique in its entity.
  public var name: String
  /// The properties, the most significant first.
  public var elements: [Element]

  /// Creates an index.
  public init(name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }
}

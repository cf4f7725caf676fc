/// One ordered to-many in a table of a store with SQL; all names are quoted SQL.
protocol SQLListStorage: OrderedListStorage {
  associatedtype Store: RevertingStore

  var store: Store { get }
  /// The key of the owner.
  var owner: Int64 { get }
  /// The table that has a row for each member.
  var table: String { get }
  var ownerColumn: String { get }
  var memberColumn: String { get }
  /// The column of the order keys.
  var keyColumn: String { get }
  /// The SQL expression for a member's lock count.
  var version: String { get }
}

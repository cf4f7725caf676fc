import CSVStores
import ManagedObjects

/// A kind of stores that can be made.
struct StoreKind {
  /// What it is called at the prompt.
  let name: String
  let type: PersistentStore.StoreType

  /// Every kind; a new one needs nothing but a line here.
  static let all = [
    StoreKind(name: "sqlite", type: .sqlite), StoreKind(name: "xml", type: .xml),
    StoreKind(name: "json", type: .json), StoreKind(name: "csv", type: .csv),
    StoreKind(name: "binary", type: .binary),
  ]

  /// The kind of a name.
  static func named(_ name: String) -> StoreKind? { all.first { $0.name == name } }

  private init(name: String, type: PersistentStore.StoreType) {
    self.name = name
    self.type = type
  }
}

import CSVStores
import ManagedObjects

/// A store type that can be created, with its name on the command line.
struct StoreKind {
  /// The name on the command line.
  let name: String
  let type: PersistentStore.StoreType

  /// Every store type; a new one needs only a line here.
  static let all = [
    StoreKind(name: "sqlite", type: .sqlite), StoreKind(name: "xml", type: .xml),
    StoreKind(name: "json", type: .json), StoreKind(name: "csv", type: .csv),
    StoreKind(name: "binary", type: .binary),
  ]

  /// The store type with a name.
  static func named(_ name: String) -> StoreKind? { all.first { $0.name == name } }

  private init(name: String, type: PersistentStore.StoreType) {
    self.name = name
    self.type = type
  }
}

import DataModel

/// The columns that a deferred migration left in their tables, by table.
typealias DeferredColumns = [String: [String]]

extension DeferredColumns {
  /// Reads the columns from a store's metadata.
  init(_ list: PropertyList?) {
    guard case .dictionary(let tables)? = list else {
      self = [:]
      return
    }
    self = tables.compactMapValues { columns in
      guard case .array(let names) = columns else { return nil }
      return names.compactMap { name in
        guard case .string(let name) = name else { return nil }
        return name
      }
    }
  }
}

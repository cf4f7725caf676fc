import DataModel

/// The columns of a file, beside those that a table of the store's objects has for them.
struct CSVColumns {
  /// What stands in a column of the file; with it, which of the properties.
  enum Content {
    case number
    case attribute(AttributeDescription.AttributeType, Int)
    case toOne(Int, hasPosition: Bool)
    /// Of a to-one that the file may lack.
    case position(Int?)
    case toMany(Int, isOrdered: Bool)
  }

  /// By the file's columns.
  let contents: [Content]
  /// The properties that have columns.
  let properties: [String]

  init(_ columns: [CSVLayout.Column]) {
    let positions = Set(columns.lazy.filter { $0.kind == .position }.map(\.property))
    let properties = columns.filter { $0.kind != .number && $0.kind != .position }.map(\.property)
    contents = columns.map { column in
      let index = properties.firstIndex(of: column.property)
      return switch (column.kind, index) {
      case (.attribute(let type), let index?): .attribute(type, index)
      case (.toOne, let index?):
        .toOne(index, hasPosition: positions.contains(column.property))
      case (.toMany, let index?): .toMany(index, isOrdered: column.isOrdered)
      case (.position, _): .position(index)
      default: .number
      }
    }
    self.properties = properties
  }
}

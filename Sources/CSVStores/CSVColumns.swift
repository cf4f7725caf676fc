import DataModel

/// The columns of a CSV file, matched with those of a table of the store's objects.
struct CSVColumns {
  /// The content of a column, with the index of its property.
  enum Content {
    case number
    case attribute(AttributeDescription.AttributeType, Int)
    case toOne(Int, hasPosition: Bool)
    /// The position for a to-one, which the file may lack.
    case position(Int?)
    case toMany(Int, isOrdered: Bool)
  }

  /// The contents by the file's columns.
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

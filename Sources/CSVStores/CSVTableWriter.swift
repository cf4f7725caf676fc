import DataFormats
import DataModel
import ManagedObjects

/// Writes the objects of one entity as a file of a CSV store.
struct CSVTableWriter {
  let layout: CSVLayout
  /// The columns, in the order that the file had.
  let columns: [CSVLayout.Column]
  let spelling: CSVCursor.Spelling
  private let store: CSVStore

  /// - Parameter form: how the file was written when it was read.
  init(_ layout: CSVLayout, like form: CSVForm?, store: CSVStore) {
    self.layout = layout
    self.store = store
    spelling = form?.spelling ?? CSVCursor.Spelling()
    let names = form?.columnNames ?? []
    let known = names.compactMap { name in layout.columns.first { $0.name == name } }
    columns = known + layout.columns.filter { !names.contains($0.name) }
  }

  /// The file with objects, by their numbers.
  func bytes(of nodes: [(number: Int64, node: AtomicStoreCacheNode)]) -> [UInt8] {
    var text: [UInt8] = spelling.hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    for (index, column) in columns.enumerated() {
      if index > 0 { text.append(spelling.separator) }
      CSVValue.append(field: column.name, spelling, to: &text)
    }
    text += spelling.lineEnd
    let positions = positions(of: nodes)
    for (number, node) in nodes {
      let values = node.values
      for (index, column) in columns.enumerated() {
        if index > 0 { text.append(spelling.separator) }
        switch column.kind {
        case .number: text.append(decimal: Int(number))
        case .attribute(let type):
          guard let value = values[column.property]?.attributeValue else { continue }
          CSVValue.append(value, type, spelling, to: &text)
        case .toOne:
          guard let number = values[column.property]?.objectID.flatMap(store.number) else {
            continue
          }
          text.append(decimal: Int(number))
        case .position:
          guard let position = positions[column.property]?[node.objectID] else { continue }
          text.append(decimal: position)
        case .toMany:
          var numbers = (values[column.property]?.objectIDs ?? []).compactMap(store.number)
          if !column.isOrdered { numbers.sort() }
          for (index, number) in numbers.enumerated() {
            if index > 0 { text.append(ascii: " ") }
            text.append(decimal: Int(number))
          }
        }
      }
      text += spelling.lineEnd
    }
    return text
  }

  /// The places of objects in the lists of those that their to-ones lead to, by the to-one's name.
  private func positions(
    of nodes: [(number: Int64, node: AtomicStoreCacheNode)]
  ) -> [String: [ManagedObjectID: Int]] {
    var positions: [String: [ManagedObjectID: Int]] = [:]
    for column in columns where column.kind == .position {
      var owners: Set<ManagedObjectID> = []
      for (_, node) in nodes {
        guard let owner = node.value(forKey: column.property)?.objectID,
          owners.insert(owner).inserted
        else { continue }
        let members = store.cacheNode(for: owner)?.value(forKey: column.list)?.objectIDs ?? []
        for (place, member) in members.enumerated() {
          positions[column.property, default: [:]][member] = place + 1
        }
      }
    }
    return positions
  }
}

@available(*, unavailable) extension CSVTableWriter: Sendable {}

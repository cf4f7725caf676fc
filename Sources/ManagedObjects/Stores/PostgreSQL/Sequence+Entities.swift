#if PostgreSQL
  extension Sequence {
    /// The elements grouped by entity, in the order of first occurrence.
    func grouped(
      by entity: (Element) -> EntityBinding
    ) -> [(entity: EntityBinding, elements: [Element])] {
      var groups: [(entity: EntityBinding, elements: [Element])] = []
      var indexes: [Int: Int] = [:]
      for element in self {
        let entity = entity(element)
        if let index = indexes[entity.index] {
          groups[index].elements.append(element)
        } else {
          indexes[entity.index] = groups.count
          groups.append((entity, [element]))
        }
      }
      return groups
    }
  }
#endif

/// Finds a short sequence of steps from one list with sections to another.
///
/// The steps are to be applied one by one. First, objects are deleted, from the last to the first.
/// New sections are inserted. Then, in the new order, each object that is new or moved is inserted
/// after the one before it; objects that keep their order within a section stay, as many as
/// possible (a longest increasing subsequence), unchanged ones first. Empty sections are deleted,
/// and last the objects are reported that stayed with changed values.
struct FetchedResultsDifference<Result: ManagedObject> {
  private(set) var changes: [FetchedResultsChange] = []
  /// The list after the steps so far.
  private var sections: [Section] = []

  /// A section in an intermediate state between the old list and the new one.
  private struct Section {
    let name: String
    /// Its index in the new list; nil if it is deleted.
    let target: Int?
    var objects: [Result]
    /// Where its objects have come to, while others leave and come in.
    var positions = ShiftedPositions(count: 0)
  }

  /// - Parameter changed: objects with changed values.
  init(
    from old: [FetchedResultsSection<Result>], to new: [FetchedResultsSection<Result>],
    changed: Set<ObjectIdentifier>
  ) {
    var targets: [String: Int] = [:]
    for (index, section) in new.enumerated() { targets[section.name] = index }
    // Sections whose order has changed are deleted and inserted again.
    let known = old.map { targets[$0.name] }
    let kept = Set(Self.longestIncrease(known.enumerated().compactMap { $1 }))
    sections = zip(old, known).map { section, target in
      Section(
        name: section.name, target: target.flatMap { kept.contains($0) ? $0 : nil },
        objects: section.objects)
    }
    var indexes: [ObjectIdentifier: Int] = [:]
    for section in new {
      for object in section.objects { indexes[ObjectIdentifier(object)] = indexes.count }
    }
    delete { indexes[ObjectIdentifier($0)] == nil }
    insertSections(of: new)
    let staying = staying(in: new, changed: changed)
    arrange(new, staying: staying)
    deleteSections()
    for (section, content) in new.enumerated() {
      for (item, object) in content.objects.enumerated()
      where staying.contains(ObjectIdentifier(object))
        && changed.contains(ObjectIdentifier(object))
      {
        changes.append(
          .update(object.objectID, at: FetchedResultsIndexPath(section: section, item: item)))
      }
    }
  }

  private mutating func delete(where isGone: (Result) -> Bool) {
    // From the last to the first, so that none moves before its turn.
    for section in sections.indices.reversed() {
      for (item, object) in sections[section].objects.enumerated().reversed()
      where isGone(object) {
        changes.append(
          .delete(object.objectID, at: FetchedResultsIndexPath(section: section, item: item)))
      }
      sections[section].objects.removeAll(where: isGone)
    }
  }

  private mutating func insertSections(of new: [FetchedResultsSection<Result>]) {
    let kept = Set(sections.compactMap(\.target))
    var arranged: [Section] = []
    arranged.reserveCapacity(sections.count + new.count - kept.count)
    var index = 0
    for (target, section) in new.enumerated() {
      if kept.contains(target) {
        // Sections that stay are in the new order; sections to be deleted are between them.
        while sections[index].target != target {
          arranged.append(sections[index])
          index += 1
        }
        arranged.append(sections[index])
        index += 1
      } else {
        changes.append(.insertSection(name: section.name, at: arranged.count))
        arranged.append(Section(name: section.name, target: target, objects: []))
      }
    }
    arranged += sections[index...]
    sections = arranged
  }

  /// The objects that need not move: in each section as many as are in the new order already.
  ///
  /// Moving an object with changed values takes no more steps than reporting it, so unchanged ones
  /// take precedence.
  private func staying(
    in new: [FetchedResultsSection<Result>], changed: Set<ObjectIdentifier>
  ) -> Set<ObjectIdentifier> {
    var staying: Set<ObjectIdentifier> = []
    for section in sections {
      guard let target = section.target else { continue }
      var indexes: [ObjectIdentifier: Int] = [:]
      for (item, object) in new[target].objects.enumerated() {
        indexes[ObjectIdentifier(object)] = item
      }
      let objects = section.objects.map { ObjectIdentifier($0) }.filter { indexes[$0] != nil }
      let kept = Set(
        Self.longestIncrease(objects.filter { !changed.contains($0) }.compactMap { indexes[$0] }))
      // Between two that stay, as many of the others as are in order.
      var (low, gap): (Int, [Int]) = (-1, [])
      func close(_ high: Int) {
        let between = gap.filter { low < $0 && $0 < high }
        for item in Self.longestIncrease(between) {
          staying.insert(ObjectIdentifier(new[target].objects[item]))
        }
        (low, gap) = (high, [])
      }
      for object in objects {
        // Every object has an index.
        let item = indexes[object]!
        if kept.contains(item) {
          close(item)
          staying.insert(object)
        } else if changed.contains(object) {
          gap.append(item)
        }
      }
      close(.max)
    }
    return staying
  }

  /// Inserts new and moved objects after the object before them.
  private mutating func arrange(
    _ new: [FetchedResultsSection<Result>], staying: Set<ObjectIdentifier>
  ) {
    // Where each new section is, and each object that was there before.
    var indexes = Array(repeating: 0, count: new.count)
    var oldIndexes: [ObjectIdentifier: (section: Int, index: Int)] = [:]
    for (index, section) in sections.enumerated() {
      if let target = section.target { indexes[target] = index }
      for (item, object) in section.objects.enumerated() {
        oldIndexes[ObjectIdentifier(object)] = (index, item)
      }
      sections[index].positions = ShiftedPositions(count: section.objects.count)
    }
    for (target, content) in new.enumerated() {
      let section = indexes[target]
      // The old object of the section before which the next one is put.
      var next = 0
      for object in content.objects {
        let old = oldIndexes[ObjectIdentifier(object)]
        if let old, staying.contains(ObjectIdentifier(object)) {
          next = old.index + 1
          continue
        }
        if let old {
          let item = sections[old.section].positions.position(of: old.index)
          sections[old.section].positions.remove(old.index)
          changes.append(
            .move(
              object.objectID, from: FetchedResultsIndexPath(section: old.section, item: item),
              to: FetchedResultsIndexPath(
                section: section, item: sections[section].positions.position(of: next))))
        } else {
          changes.append(
            .insert(
              object.objectID,
              at: FetchedResultsIndexPath(
                section: section, item: sections[section].positions.position(of: next))))
        }
        sections[section].positions.insert(before: next)
      }
    }
  }

  private mutating func deleteSections() {
    for section in sections.indices.reversed() where sections[section].target == nil {
      changes.append(.deleteSection(name: sections[section].name, at: section))
    }
    sections.removeAll { $0.target == nil }
  }

  /// The longest increasing subsequence, in O(n log n).
  private static func longestIncrease(_ numbers: [Int]) -> [Int] {
    // The index of the smallest last number of an increasing subsequence of each length.
    var ends: [Int] = []
    var before = Array(repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var increase: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      increase.append(numbers[index])
      index = before[index]
    }
    return increase.reversed()
  }
}

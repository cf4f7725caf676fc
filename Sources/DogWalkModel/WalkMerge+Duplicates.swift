import ManagedObjects
import SystemLibraries

/// Matching records without a UUID to walks.
extension WalkMerge {
  /// Matches the remaining records to walks, each walk to at most one record of a file.
  ///
  /// All exact counterparts, the walks with the same dog, start and duration, are matched first:
  /// otherwise a record could take the walk that a later line of the file describes exactly. A
  /// tracker's record is also matched by its track, and an ongoing walk by its start.
  mutating func findByValues(among known: [Target]) throws {
    guard targets.contains(where: { $0 == nil }) else { return }
    var groups = DuplicateGroups()
    for target in known + targets.enumerated().compactMap({ $1?.maker == $0 ? $1 : nil }) {
      if let twin = target.twin ?? target.walk.flatMap({ RecordIdentity($0) }) {
        groups[twin].targets.append(target)
      }
    }
    var begun = Begun(known)
    var recorded = Recorded(known, in: context)
    for (file, indexes) in files.enumerated() {
      for index in indexes { targets[index]?.file = file }
      let others = indexes.filter { targets[$0] == nil }
      let twins = others.map { twin(of: $0, in: Target(maker: $0)) }
      for (index, twin) in zip(others, twins) { groups[twin].records.append(index) }
      for twin in twins { giveAway(&groups[twin], file) }
      for (index, twin) in zip(others, twins) where targets[index] == nil {
        let isAlone = groups[twin].targets.isEmpty
        let target = try otherTarget(of: index, file, isAlone: isAlone, &begun, &recorded)
        if target.maker == index { groups[twin].targets.append(target) }
        take(target, for: index, file)
      }
    }
  }

  private mutating func take(_ target: Target, for index: Int, _ file: Int) {
    target.file = file
    targets[index] = target
  }

  // MARK: Exact counterparts

  /// Matches the records of a file to their counterparts.
  ///
  /// Those with all values equal come first, so that a file imported twice changes nothing; then
  /// each record gets the first walk left.
  private mutating func giveAway(_ group: inout DuplicateGroup, _ file: Int) {
    // Each group is processed once for all of its records.
    guard !group.records.isEmpty else { return }
    let indexes = group.records
    group.records = []
    var free = group.targets.filter { $0.file != file }
    // One record and one walk can only be matched with each other.
    if indexes.count > 1 || free.count > 1 {
      giveEquals(indexes, free, file)
      free.removeAll { $0.file == file }
    }
    for (index, target) in zip(indexes.filter { targets[$0] == nil }, free) {
      take(target, for: index, file)
    }
  }

  /// Matches records to walks with all of their values.
  private mutating func giveEquals(_ indexes: [Int], _ free: [Target], _ file: Int) {
    /// The walks by their values, in reverse order, so that `popLast()` takes the first.
    var byValues: [Int: [WalkDraft: [Target]]] = [:]
    // A record with few fields may match many walks, so the others come first.
    func count(_ index: Int) -> Int { records[index].fields.rawValue.nonzeroBitCount }
    for index in indexes.sorted(by: { (-count($0), $0) < (-count($1), $1) }) {
      let fields = records[index].fields
      let key = fields.rawValue
      if byValues[key] == nil {
        byValues[key] = Dictionary(grouping: free.reversed()) { values(of: $0, fields) }
      }
      let told = records[index].draft.values(fields)
      while let target = byValues[key]?[told]?.popLast() {
        guard target.file != file else { continue }
        take(target, for: index, file)
        break
      }
    }
  }

  /// Returns some fields of a walk.
  private func values(of target: Target, _ fields: WalkRecord.Fields) -> WalkDraft {
    guard let walk = target.walk else {
      return records[target.maker ?? 0].draft.values(fields)
    }
    return WalkDraft(
      walk, hadTags ? fields : fields.subtracting(.tags), localOffset: localOffset
    ).values(fields)
  }

  // MARK: Other records

  /// Returns the walk for a record without a counterpart, or a new one.
  ///
  /// It is the walk with the record's track, regardless of later changes; or, if either is ongoing,
  /// the one with the same start.
  ///
  /// - Parameter isAlone: whether no walk at all has its dog, start and duration.
  private mutating func otherTarget(
    of index: Int, _ file: Int, isAlone: Bool, _ begun: inout Begun, _ recorded: inout Recorded
  ) throws -> Target {
    let record = records[index]
    if isAlone, record.isTrack, let track = record.draft.track,
      let corrected = try recorded.target(of: dogs[index], along: track)
    {
      outdatedRecords.insert(index)
      return corrected
    }
    guard let found = begun.next(for: file, as: record, of: dogs[index]) else {
      return Target(maker: index)
    }
    if record.draft.isOngoing { outdatedRecords.insert(index) }
    return found
  }
}

extension WalkMerge {
  /// The values by which a walk and a record without a UUID count as the same; times are in whole
  /// seconds.
  struct RecordIdentity: Hashable {
    let dog: ManagedObjectID
    let second: Double
    let duration: Double?

    init(_ dog: Dog, _ date: Date, _ duration: Double?) {
      self.dog = dog.objectID
      second = date.timeIntervalSinceReferenceDate.rounded(.down)
      self.duration = duration.map { ($0 * 10).rounded() }
    }

    /// Creates the values of a walk; nil if it has no dog or no date.
    init?(_ walk: Walk) {
      guard let dog = walk.dog, let start = walk.start else { return nil }
      self.init(dog, start, walk.seconds)
    }
  }

  /// The walks with the same values, and the records of a file that match some of them.
  private struct DuplicateGroup {
    var targets: [Target] = []
    var records: [Int] = []
  }

  /// All groups, by their values.
  private struct DuplicateGroups {
    private var groups: [RecordIdentity: DuplicateGroup] = [:]

    subscript(twin: RecordIdentity) -> DuplicateGroup {
      get { groups[twin] ?? DuplicateGroup() }
      _modify { yield &groups[twin, default: DuplicateGroup()] }
    }
  }

  /// Existing walks by dog and start, for records with another end: an ongoing walk that has ended
  /// since, in the store or in the file.
  private struct Begun {
    private let known: [Target]
    private let ongoing: [RecordIdentity: [Target]]
    /// The walks that are over; nil until the first lookup.
    private var over: [RecordIdentity: [Target]]?

    init(_ known: [Target]) {
      // A walk matched by UUID gets the values of its record.
      self.known = known.filter { $0.twin == nil }
      ongoing = Self.byStart(self.known) { $0.isOngoing }
    }

    private static func byStart(
      _ targets: [Target], where isWanted: (Walk) -> Bool
    ) -> [RecordIdentity: [Target]] {
      var found: [RecordIdentity: [Target]] = [:]
      for target in targets {
        guard let walk = target.walk, isWanted(walk), let dog = walk.dog, let start = walk.start
        else { continue }
        found[RecordIdentity(dog, start, nil), default: []].append(target)
      }
      return found
    }

    /// Returns the walk for a record, if one of the two is ongoing and the other has a duration;
    /// walks matched by another record of the file are skipped.
    mutating func next(for file: Int, as record: WalkRecord, of dog: Dog) -> Target? {
      let targets: [RecordIdentity: [Target]]
      if record.draft.isOngoing {
        targets = over ?? Self.byStart(known) { $0.seconds != nil }
        over = targets
      } else {
        guard !ongoing.isEmpty, record.draft.duration != nil else { return nil }
        targets = ongoing
      }
      return targets[RecordIdentity(dog, record.draft.start, nil)]?.first { $0.file != file }
    }
  }
}

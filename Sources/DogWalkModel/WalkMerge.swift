import ManagedObjects
import SystemLibraries

/// An import: it matches every record to a walk, then inserts and updates walks.
struct WalkMerge {
  /// The result.
  var merged = WalkLog.Merged()

  let context: ManagedObjectContext
  let records: [WalkRecord]
  /// The range of each file's records.
  private(set) var files: [Range<Int>] = []
  /// The dog of each record.
  private(set) var dogs: [Dog] = []
  /// The UUIDs of dogs that a sync has made one with a dog.
  private var formerUUIDs: [ManagedObjectID: [UUID]] = [:]
  private var names: WalkNames
  /// Whether any walk had tags before.
  let hadTags: Bool
  /// The walk of each record.
  var targets: [Target?]
  /// The existing walks, kept until overlaps with new ones were determined.
  var walksBefore: [Walk] = []
  /// The indexes of the records that inserted walks, the oldest walk first.
  private(set) var makers: [Int] = []
  /// The records that differ from their walks.
  private var changedRecords: Set<Int> = []
  /// The records that contain less than their walks: tracks of walks that were corrected since, and
  /// walks that were ongoing then and have ended.
  var outdatedRecords: Set<Int> = []
  /// The records that are older than their walks.
  private var olderRecords: Set<Int> = []
  /// The store whose exports may be older than its walks; nil if that does not matter.
  private let exporter: String?
  /// Returns the UTC offset for a walk that has none of its own.
  let localOffset: (Date) -> Int

  /// Matches each record to a walk.
  ///
  /// - Parameters:
  ///   - exporter: the store's UUID, if its exports must not overwrite newer walks.
  ///   - localOffset: returns the UTC offset for a walk that has none of its own.
  init(
    _ files: [[WalkRecord]], into log: WalkLog, exportedFrom exporter: String? = nil,
    localOffset: @escaping (Date) -> Int
  ) throws {
    context = log.context
    self.exporter = exporter
    self.localOffset = localOffset
    names = WalkNames(in: context)
    hadTags = try context.count(for: Tag.fetchRequest()) > 0
    records = Array(files.joined())
    targets = Array(repeating: nil, count: records.count)
    for file in files {
      let start = self.files.last?.upperBound ?? 0
      self.files.append(start..<start + file.count)
    }
    try findDogs(in: log)
    guard !records.isEmpty else { return }
    walksBefore = try context.fetch(Walk.fetchRequest())
    let known = walksBefore.map { Target($0) }
    findByUUID(among: known)
    try findByValues(among: known)
  }

  // MARK: Finding

  /// Finds the dogs of the records by UUID and then by name, and inserts missing ones.
  private mutating func findDogs(in log: WalkLog) throws {
    var byUUID: [UUID: Dog] = [:]
    // A UUID that is made of a row's number may be another dog's in the exporting copy.
    var byNumber: [UUID: Dog] = [:]
    for dog in try Dog.all(in: context) {
      if let uuid = dog.identifier { byUUID[uuid] = dog } else { byNumber[UUID(of: dog)] = dog }
    }
    if records.contains(where: { $0.dogUUID.map { byUUID[$0] == nil } ?? false }) {
      // A sync may have made one dog of two.
      let memory = try SyncMemory(of: log)
      for former in memory.aliases.keys {
        // After an undo both dogs are there.
        guard byUUID[former.uuid] == nil, let dog = byUUID[memory.current(former).uuid] else {
          continue
        }
        byUUID[former.uuid] = dog
        formerUUIDs[dog.objectID, default: []].append(former.uuid)
      }
    }
    var byName: [String: Dog] = [:]
    dogs.reserveCapacity(records.count)
    for record in records {
      if let uuid = record.dogUUID, let dog = byUUID[uuid] {
        dogs.append(dog)
        continue
      }
      if let dog = record.dogUUID.flatMap({ byNumber[$0] }), dog.nameKey == NameKey.of(record.dog) {
        dogs.append(dog)
        continue
      }
      let dog = try byName[record.dog] ?? Dog.findOrCreate(named: record.dog, in: context)
      byName[record.dog] = dog
      if let uuid = record.dogUUID, dog.isInserted {
        dog.uuid = uuid
        byUUID[uuid] = dog
      }
      dogs.append(dog)
    }
  }

  /// Matches the records with a UUID; the values of their walks for comparison are then those after
  /// the import.
  private mutating func findByUUID(among known: [Target]) {
    guard records.contains(where: { $0.uuid != nil }) else { return }
    var targetsByUUID: [UUID: Target] = [:]
    // A UUID that is made of a row's number may be another walk's in the exporting copy.
    var targetsByNumber: [UUID: Target] = [:]
    for target in known {
      guard let walk = target.walk else { continue }
      if let uuid = walk.identifier {
        targetsByUUID[uuid] = target
      } else {
        targetsByNumber[UUID(of: walk)] = target
      }
    }
    for (index, record) in records.enumerated() {
      guard let uuid = record.uuid else { continue }
      let numbered = targetsByNumber[uuid].flatMap {
        $0.walk?.start == record.draft.start ? $0 : nil
      }
      let target = targetsByUUID[uuid] ?? numbered ?? Target(maker: index)
      targetsByUUID[uuid] = target
      target.twin = twin(of: index, in: target)
      targets[index] = target
    }
  }

  /// Returns the values by which other records match the walk of a record.
  func twin(of index: Int, in target: Target) -> RecordIdentity {
    let record = records[index]
    let isTold = target.walk == nil || record.fields.contains(.duration)
    return RecordIdentity(
      dogs[index], record.draft.start, isTold ? record.draft.duration : target.walk?.seconds)
  }

  /// Returns the walk of a record; nil until it is inserted.
  func walk(of index: Int) -> Walk? { targets[index]?.walk }

  /// The effect on each record's walk.
  var outcomes: [WalkLog.ImportOutcome] {
    targets.enumerated().compactMap { index, target in
      guard let target, let walk = target.walk else { return nil }
      let isNew = target.maker == index
      let kind: WalkLog.ImportOutcome.Kind =
        isNew
        ? .new
        : olderRecords.contains(index)
          ? .kept : changedRecords.contains(index) ? .changed : .known
      return WalkLog.ImportOutcome(kind: kind, walk: walk)
    }
  }

  // MARK: Writing

  /// Inserts the missing walks, the oldest first, so that numbers increase with time.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  mutating func makeNew() throws {
    makers = records.indices.filter { targets[$0]?.maker == $0 }.sorted {
      (records[$0].draft.start, $0) < (records[$1].draft.start, $1)
    }
    for index in makers {
      let record = records[index]
      let walk = Walk(context: context)
      try walk.write(record.draft, &names)
      if let uuid = record.uuid { walk.uuid = uuid }
      dogs[index].addToWalks(walk)
      targets[index]?.walk = walk
    }
    merged.new = makers.count
  }

  /// Counts the new walks that are longer than usual.
  ///
  /// - Parameter most: the maximum number of them that are returned, the oldest first.
  private func long(_ longestUsual: Double, first most: Int) -> (count: Int, first: [Walk]) {
    let long = makers.filter { index in
      records[index].draft.duration.map { $0 > longestUsual } ?? false
    }
    return (long.count, long.prefix(most).compactMap { walk(of: $0) })
  }

  /// Records how many of the new walks overlap others or are long, and returns the first of both.
  ///
  /// Called once, after all walks are written.
  mutating func takeNotable(longestUsual: Double) -> (overlapping: [Walk], long: [Walk]) {
    let overlaps = takeOverlaps(first: 3)
    let long = long(longestUsual, first: 3)
    (merged.overlapping, merged.long) = (overlaps.count, long.count)
    return (overlaps.first, long.first)
  }

  /// Updates the existing walks with the values of their records.
  ///
  /// - Parameter progress: called from time to time with the number of records processed.
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  mutating func changeKnown(progress: (Int) -> Void) throws {
    for (index, record) in records.enumerated() {
      if index % 1024 == 1023 { progress(index) }
      guard let target = targets[index], target.maker != index, let walk = target.walk else {
        continue
      }
      guard !outdatedRecords.contains(index) else {
        merged.known += 1
        continue
      }
      var fields = record.fields
      // If there are no tags at all, they are not fetched for each walk.
      if !hadTags, !names.hasGivenTags, record.draft.tags.isEmpty { fields.remove(.tags) }
      let isOlder =
        record.version.map { $0.store == exporter && !isUnchanged(walk, since: $0) } ?? false
      let isDifferent = try walk.update(
        by: record, fields, of: dogs[index], &names, localOffset: localOffset, isDry: isOlder)
      if isDifferent, isOlder {
        merged.keptNumbers.append(walk.number)
        olderRecords.insert(index)
      } else if isDifferent {
        merged.changed += 1
        merged.changedNumbers.append(walk.number)
        changedRecords.insert(index)
      } else {
        merged.known += 1
      }
    }
    // Those of walks that stay as they are.
    for dog in context.insertedObjects.compactMap({ $0 as? Dog }) where dog.walks.isEmpty {
      context.delete(dog)
    }
  }

  /// Whether a walk has the values that it was exported with; its dog may have become one with
  /// another since.
  private func isUnchanged(_ walk: Walk, since version: WalkVersion) -> Bool {
    let tags = hadTags ? walk.tagNames : []
    let former = walk.dog.flatMap { formerUUIDs[$0.objectID] } ?? []
    return WalkVersion(of: walk, in: version.store, tags: tags) == version
      || former.contains {
        WalkVersion(of: walk, in: version.store, tags: tags, dog: $0) == version
      }
  }
}

@available(*, unavailable) extension WalkMerge: Sendable {}

extension WalkMerge {
  /// The walk of some records, which exists or will be inserted.
  final class Target {
    /// The walk; nil until it is inserted.
    var walk: Walk?
    /// The values by which records without a UUID match it, if they differ from the stored ones.
    var twin: RecordIdentity?
    /// The index of the record that inserts it; nil if it exists already.
    let maker: Int?
    /// The index of the last file with a record of it.
    var file = -1

    /// Creates a target for an existing walk.
    init(_ walk: Walk) {
      self.walk = walk
      maker = nil
    }

    /// Creates a target for a walk that a record inserts.
    init(maker: Int) { self.maker = maker }
  }
}

extension Walk {
  /// Sets the values of a record; returns false if the walk had them all.
  ///
  /// - Parameter isDry: whether to return that without setting them.
  fileprivate func update(
    by record: WalkRecord, _ fields: WalkRecord.Fields, of dog: Dog, _ names: inout WalkNames,
    localOffset: (Date) -> Int, isDry: Bool
  ) throws -> Bool {
    let draft = record.draft
    var isChanged = false
    func change(_ differs: Bool, _ body: () -> Void) {
      guard differs else { return }
      isChanged = true
      if !isDry { body() }
    }
    change(self.dog !== dog) { self.dog = dog }
    // Files contain whole seconds; a walk without an offset counts as having the local one.
    let isSameTime =
      start?.timeIntervalSinceReferenceDate.rounded(.down)
      == draft.start.timeIntervalSinceReferenceDate.rounded(.down)
    change(!isSameTime) { date = draft.start }
    change((clockOffset ?? localOffset(draft.start)) != draft.utcOffset) {
      utcOffset = Int32(draft.utcOffset)
    }
    let (length, isOut) = length(by: record)
    change(!Self.isEqual(seconds, length) || isOngoing != isOut) {
      duration = length
      isOngoing = isOut
    }
    if fields.contains(.distance) {
      change(!Self.isEqual(metres, draft.distance)) { distance = draft.distance }
    }
    if fields.contains(.note) { change(note != draft.note) { note = draft.note } }
    if isDry {
      let keys = (walker.map { NameKey.of($0.name) }, record.draft.walker.map { NameKey.of($0) })
      change(fields.contains(.walker) && keys.0 != keys.1) {}
      func areSame(_ one: [String], _ other: [String]) -> Bool {
        Set(one.map { NameKey.of($0) }) == Set(other.map { NameKey.of($0) })
      }
      change(fields.contains(.tags) && !areSame(tagNames, draft.tags)) {}
    }
    if fields.contains(.walker), !isDry {
      let told = try names.walker(named: draft.walker)
      change(walker !== told) { walker = told }
    }
    if fields.contains(.tags), !isDry {
      let told = try names.tags(named: draft.tags)
      change(tags != told) { tags = told }
    }
    if fields.contains(.track) {
      change(trackPoints != draft.track) { trackPoints = draft.track }
    }
    if fields.contains(.peeCount) {
      change(peeCount.map { Int($0) } != draft.peeCount) {
        peeCount = draft.peeCount.map { Int16(clamping: $0) }
      }
    }
    if fields.contains(.pooCount) {
      change(pooCount.map { Int($0) } != draft.pooCount) {
        pooCount = draft.pooCount.map { Int16(clamping: $0) }
      }
    }
    return isChanged
  }

  /// Returns the duration according to a record, and whether the walk is still ongoing.
  private func length(by record: WalkRecord) -> (duration: Double?, isOngoing: Bool) {
    let told = record.fields.contains(.duration) ? record.draft.duration : seconds
    // A file without the field for ongoing walks does not end one by omitting its duration.
    let isOut =
      record.fields.contains(.isOngoing) ? record.draft.isOngoing : isOngoing && told == nil
    return (isOut ? nil : told, isOut)
  }

  /// Whether two numbers are equal within the precision of a file.
  private static func isEqual(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) < 0.001
  }
}

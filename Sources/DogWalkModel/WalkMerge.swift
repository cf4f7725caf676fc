import ManagedObjects
import SystemLibraries

/// One import at work: every record is given its walk, then walks are made and changed.
struct WalkMerge {
  /// What came of it.
  var merged = WalkLog.Merged()

  let context: ManagedObjectContext
  let records: [WalkRecord]
  /// The indexes of each file's records.
  private(set) var files: [Range<Int>] = []
  /// The dog that each record is about.
  private(set) var dogs: [Dog] = []
  private var names: WalkNames
  /// Whether any walk had tags before.
  let hadTags: Bool
  /// The walk that each record is about.
  var targets: [Target?]
  /// The walks that were there before, as long as new ones may overlap them.
  var walksBefore: [Walk] = []
  /// The indexes of the records that made walks, the oldest walk first.
  private(set) var makers: [Int] = []
  /// Which records differ from what is there.
  private var changedRecords: Set<Int> = []
  /// Which records know less than what is there: tracks of walks that were corrected since, walks
  /// that were going on then and have ended.
  var outdatedRecords: Set<Int> = []
  /// Which records are older than what is there.
  private var olderRecords: Set<Int> = []
  /// The store whose exports may be older than what is there; nil where that does not matter.
  private let exporter: String?
  /// The UTC offset of a walk that has none of its own.
  let localOffset: (Date) -> Int

  /// Finds out which walk each record is about.
  ///
  /// - Parameters:
  ///   - exporter: the store's own UUID, where its exports overwrite no newer walk.
  ///   - localOffset: the UTC offset of a walk that has none of its own.
  init(
    _ files: [[WalkRecord]], context: ManagedObjectContext, exportedFrom exporter: String? = nil,
    localOffset: @escaping (Date) -> Int
  ) throws {
    self.context = context
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
    try findDogs()
    guard !records.isEmpty else { return }
    walksBefore = try context.fetch(Walk.fetchRequest())
    let known = walksBefore.map { Target($0) }
    findByUUID(among: known)
    try findByTwin(among: known)
  }

  // MARK: Finding

  /// Finds the dogs of the records, by their UUIDs and then by their names; makes those that are
  /// new.
  private mutating func findDogs() throws {
    var byUUID: [UUID: Dog] = [:]
    for dog in try Dog.all(in: context) { if let uuid = dog.identifier { byUUID[uuid] = dog } }
    var byName: [String: Dog] = [:]
    dogs.reserveCapacity(records.count)
    for record in records {
      if let uuid = record.dogUUID, let dog = byUUID[uuid] {
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

  /// Finds the walks of the records that name a UUID; their twins are then what they will be.
  private mutating func findByUUID(among known: [Target]) {
    guard records.contains(where: { $0.uuid != nil }) else { return }
    var targetsByUUID: [UUID: Target] = [:]
    for target in known { if let uuid = target.walk?.identifier { targetsByUUID[uuid] = target } }
    for (index, record) in records.enumerated() {
      guard let uuid = record.uuid else { continue }
      let target = targetsByUUID[uuid] ?? Target(maker: index)
      targetsByUUID[uuid] = target
      target.twin = twin(of: index, in: target)
      targets[index] = target
    }
  }

  /// What a record and its walk share with other records that are about it.
  func twin(of index: Int, in target: Target) -> Twin {
    let record = records[index]
    let isTold = target.walk == nil || record.fields.contains(.duration)
    return Twin(
      dogs[index], record.draft.start, isTold ? record.draft.duration : target.walk?.seconds)
  }

  /// The walk that a record is about; nil as long as it is not made.
  func walk(of index: Int) -> Walk? { targets[index]?.walk }

  /// What becomes of each record's walk.
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

  /// Makes the walks that are not there, the oldest first, so that numbers rise with time.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
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
  /// - Parameter most: how many of them are returned, the oldest first.
  private func long(_ longestUsual: Double, first most: Int) -> (count: Int, first: [Walk]) {
    let long = makers.filter { index in
      records[index].draft.duration.map { $0 > longestUsual } ?? false
    }
    return (long.count, long.prefix(most).compactMap { walk(of: $0) })
  }

  /// Notes how many of the new walks overlap others or are long, and returns the first of both.
  ///
  /// To be asked once, when all is written.
  mutating func takeNotable(longestUsual: Double) -> (overlapping: [Walk], long: [Walk]) {
    let overlaps = takeOverlaps(first: 3)
    let long = long(longestUsual, first: 3)
    (merged.overlapping, merged.long) = (overlaps.count, long.count)
    return (overlaps.first, long.first)
  }

  /// Gives the other walks the values of their records.
  ///
  /// - Parameter progress: hears from time to time how many were looked at.
  /// - Throws: `PersistentStoreError` where the store cannot be read.
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
      // Where there are none, no walk is asked for its own, which would be read one by one.
      if !hadTags, !names.hasGivenTags, record.draft.tags.isEmpty { fields.remove(.tags) }
      if let version = record.version, version.store == exporter,
        WalkVersion(of: walk, in: version.store, tags: hadTags ? walk.tagNames : []) != version
      {
        merged.keptNumbers.append(walk.number)
        olderRecords.insert(index)
        continue
      }
      if try walk.update(
        by: record, fields, of: dogs[index], &names, localOffset: localOffset)
      {
        merged.changed += 1
        merged.changedNumbers.append(walk.number)
        changedRecords.insert(index)
      } else {
        merged.known += 1
      }
    }
  }
}

@available(*, unavailable) extension WalkMerge: Sendable {}

extension WalkMerge {
  /// A walk that records are about: one there is, or one that is to come.
  final class Target {
    /// The walk; nil until it is made.
    var walk: Walk?
    /// What it shares with records that are about it and name no UUID, where that is not as stored.
    var twin: Twin?
    /// The index of the record that makes it; nil where it is there already.
    let maker: Int?
    /// The last file that has a record about it.
    var file = -1

    /// A walk there is.
    init(_ walk: Walk) {
      self.walk = walk
      maker = nil
    }

    /// A walk that a record makes.
    init(maker: Int) { self.maker = maker }
  }
}

extension Walk {
  /// Takes over the values of a record; false where it had them all.
  fileprivate func update(
    by record: WalkRecord, _ fields: WalkRecord.Fields, of dog: Dog, _ names: inout WalkNames,
    localOffset: (Date) -> Int
  ) throws -> Bool {
    let draft = record.draft
    var isChanged = false
    func change(_ differs: Bool, _ body: () -> Void) {
      guard differs else { return }
      body()
      isChanged = true
    }
    change(self.dog !== dog) { self.dog = dog }
    // Files tell whole seconds, and the reader's offset where a walk has none.
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
    if fields.contains(.walker) {
      let told = try names.walker(named: draft.walker)
      change(walker !== told) { walker = told }
    }
    if fields.contains(.tags) {
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

  /// How long it was by a record, and whether it is still going on.
  private func length(by record: WalkRecord) -> (duration: Double?, isOngoing: Bool) {
    let told = record.fields.contains(.duration) ? record.draft.duration : seconds
    // A file that knows nothing of walks going on does not end one by leaving its length out.
    let isOut =
      record.fields.contains(.isOngoing) ? record.draft.isOngoing : isOngoing && told == nil
    return (isOut ? nil : told, isOut)
  }

  /// Whether two numbers are the same but for what a file's digits leave off.
  private static func isEqual(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) < 0.001
  }
}

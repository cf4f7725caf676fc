import ManagedObjects

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Taking over walks from files.
extension WalkLog {
  /// What came of it.
  package struct Merged: Sendable, Hashable {
    /// How many walks were not there before.
    package var new = 0
    /// How many were there with other values.
    package var changed = 0
    /// How many were there already.
    package var known = 0
    /// The dogs that were not there before, by name.
    package var newDogs: [String] = []
  }

  /// Takes over walks, all in one transaction, in which they are looked up too.
  ///
  /// A walk is the one with the same UUID; where the file names none, one of the same dog, start and
  /// duration. Where it is there already and differs, the file's values win.
  ///
  /// - Parameters:
  ///   - localOffset: the UTC offset of a walk that has none of its own.
  ///   - progress: hears from time to time how many were looked at.
  package func merge(
    _ records: [WalkRecord], localOffset: @escaping (Date) -> Int, progress: (Int) -> Void
  ) throws -> Merged {
    // The oldest first, so that numbers rise with time.
    let order = records.indices.sorted {
      (records[$0].draft.start, $0) < (records[$1].draft.start, $1)
    }
    var newDogs: [String] = []
    let observation = context.observe(.didSave) { changes in
      newDogs = changes.inserted.compactMap { ($0 as? Dog)?.name }
    }
    defer { observation.cancel() }
    return try performWriting {
      var merge = WalkMerge(context: context, localOffset: localOffset)
      for (count, place) in order.enumerated() {
        try merge.take(records[place])
        if count % 1024 == 1023 { progress(count) }
      }
      try save()
      merge.merged.newDogs = newDogs
      return merge.merged
    }
  }
}

/// One import at work.
private struct WalkMerge {
  let context: ManagedObjectContext
  let localOffset: (Date) -> Int
  var merged = WalkLog.Merged()
  private var dogs: [String: Dog] = [:]
  private var walksByUUID: [UUID: Walk]?
  private var walksByTwin: [Twin: Walk]?

  /// What makes two walks the same where no UUID does.
  private struct Twin: Hashable {
    let dog: ManagedObjectID
    let second: Double
    let duration: Double?
  }

  init(context: ManagedObjectContext, localOffset: @escaping (Date) -> Int) {
    self.context = context
    self.localOffset = localOffset
  }

  mutating func take(_ record: WalkRecord) throws {
    let dog = try dog(named: record.dog)
    guard let walk = try walk(for: record, of: dog) else {
      let walk = Walk(context: context)
      walk.write(record.draft)
      if let uuid = record.uuid { walk.uuid = uuid }
      dog.addToWalks(walk)
      note(walk, of: dog)
      merged.new += 1
      return
    }
    if update(walk, by: record, of: dog) { merged.changed += 1 } else { merged.known += 1 }
  }

  private mutating func dog(named name: String) throws -> Dog {
    if let dog = dogs[name] { return dog }
    let dog = try Dog.findOrCreate(named: name, in: context)
    dogs[name] = dog
    return dog
  }

  // MARK: Finding

  private mutating func walk(for record: WalkRecord, of dog: Dog) throws -> Walk? {
    if let uuid = record.uuid {
      if walksByUUID == nil {
        walksByUUID = [:]
        for walk in try allWalks() { if let uuid = walk.uuid { walksByUUID?[uuid] = walk } }
      }
      return walksByUUID?[uuid]
    }
    if walksByTwin == nil {
      walksByTwin = [:]
      for walk in try allWalks() { if let dog = walk.dog { note(walk, of: dog) } }
    }
    return walksByTwin?[twin(record.draft.start, record.draft.duration, dog)]
  }

  /// The stored walks, and those that came just now.
  private func allWalks() throws -> [Walk] { try context.fetch(Walk.fetchRequest()) }

  private mutating func note(_ walk: Walk, of dog: Dog) {
    if let uuid = walk.uuid, walksByUUID != nil { walksByUUID?[uuid] = walk }
    guard walksByTwin != nil else { return }
    let twin = twin(walk.date, walk.duration, dog)
    walksByTwin?[twin] = walk
  }

  private func twin(_ date: Date, _ duration: Double?, _ dog: Dog) -> Twin {
    Twin(
      dog: dog.objectID, second: date.timeIntervalSinceReferenceDate.rounded(.down),
      duration: duration.map { ($0 * 10).rounded() })
  }

  // MARK: Changing

  /// Gives a walk the values of a file; false where it had them all.
  private func update(_ walk: Walk, by record: WalkRecord, of dog: Dog) -> Bool {
    let draft = record.draft
    var isChanged = false
    func change(_ differs: Bool, _ body: () -> Void) {
      guard differs else { return }
      body()
      isChanged = true
    }
    change(walk.dog !== dog) { walk.dog = dog }
    // Files tell whole seconds, and the reader's offset where a walk has none.
    let isSameTime =
      walk.date.timeIntervalSinceReferenceDate.rounded(.down)
      == draft.start.timeIntervalSinceReferenceDate.rounded(.down)
    change(!isSameTime) { walk.date = draft.start }
    change((walk.utcOffset.map { Int($0) } ?? localOffset(walk.date)) != draft.utcOffset) {
      walk.utcOffset = Int32(draft.utcOffset)
    }
    if record.fields.contains(.duration), !walk.isOngoing || draft.duration != nil {
      change(!Self.isEqual(walk.duration, draft.duration) || walk.isOngoing) {
        walk.duration = draft.duration
        walk.isOngoing = false
      }
    }
    if record.fields.contains(.distance) {
      change(!Self.isEqual(walk.distance, draft.distance)) { walk.distance = draft.distance }
    }
    if record.fields.contains(.note) { change(walk.note != draft.note) { walk.note = draft.note } }
    if record.fields.contains(.walker) {
      change(walk.walker != draft.walker) { walk.walker = draft.walker }
    }
    if record.fields.contains(.peeCount) {
      change(walk.peeCount.map { Int($0) } != draft.peeCount) {
        walk.peeCount = draft.peeCount.map { Int16(clamping: $0) }
      }
    }
    if record.fields.contains(.pooCount) {
      change(walk.pooCount.map { Int($0) } != draft.pooCount) {
        walk.pooCount = draft.pooCount.map { Int16(clamping: $0) }
      }
    }
    return isChanged
  }

  /// Whether two numbers are the same but for what a file's digits leave off.
  private static func isEqual(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) < 0.001
  }
}

@available(*, unavailable) extension WalkMerge: Sendable {}

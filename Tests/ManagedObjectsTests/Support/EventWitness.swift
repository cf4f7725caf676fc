import DogWalkModel
import Testing

@testable import ManagedObjects

/// An observer that knows only what events report about a context's walks, from when it was added.
final class EventWitness {
  private struct Known: Equatable {
    let walk: Walk
    let duration: Double?
    let note: String?
    /// The context's keys; they never change.
    let dog: String?

    init(_ walk: Walk) {
      (self.walk, duration, note, dog) = (walk, walk.duration, walk.note, walk.dog?.nameKey)
    }
  }

  private var known: [ObjectIdentifier: Known] = [:]
  /// Objects that are new when it is added in the middle of an event: if one is deleted before the
  /// event ends, that is not reported.
  private var passing: Set<ObjectIdentifier> = []
  private var observation: ContextObservation?
  private var complaint: String?

  /// Begins with the current objects, in the middle of an event or between two.
  init(_ context: ManagedObjectContext, inEvent: Bool) throws {
    if !inEvent { context.processPendingChanges() }
    for walk in try context.fetch(Walk.fetchRequest()) {
      note(walk)
      if inEvent, walk.isInserted { passing.insert(ObjectIdentifier(walk)) }
    }
    observation = context.observe(.objectsDidChange) { [unowned self] in hear($0) }
  }

  private func note(_ walk: Walk) { known[ObjectIdentifier(walk)] = Known(walk) }

  private func forgetPassing() {
    for id in passing where known[id]?.walk.exists == false { known[id] = nil }
    passing = []
  }

  private func hear(_ changes: ObjectChanges) {
    forgetPassing()
    for case let walk as Walk in changes.inserted + changes.updated + changes.refreshed {
      note(walk)
      if !walk.exists { complaint = "told of a walk that is gone" }
    }
    for case let walk as Walk in changes.deleted {
      known[ObjectIdentifier(walk)] = nil
      if walk.exists { complaint = "told that a walk is gone which is there" }
    }
  }

  /// What was not reported; nil if everything was.
  func fault(among walks: [Walk]) -> String? {
    if let complaint { return complaint }
    forgetPassing()
    let now = Dictionary(uniqueKeysWithValues: walks.map { (ObjectIdentifier($0), Known($0)) })
    for (id, walk) in now where known[id] == nil { return "not told of \(walk.walk._key)" }
    for (id, walk) in known {
      guard let other = now[id] else { return "not told that \(walk.walk._key) is gone" }
      guard walk == other else {
        return "not told of a change of \(walk.walk._key): \(walk) is \(other)"
      }
    }
    return nil
  }
}

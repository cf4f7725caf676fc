import DogWalkModel
import Testing

@testable import ManagedObjects

/// A controller beside two references that know what it should show: one applies its steps to a
/// list, and one fetches everything, and filters and sorts it in plain Swift.
final class WatchedResults {
  /// A query, as a request and as Swift.
  struct Question {
    var request = Walk.fetchRequest()
    var section: String?
    var keeps: (Walk) -> Bool = { _ in true }
    var inOrder: (Walk, Walk) -> Bool? = { _, _ in nil }
  }

  let number: Int
  private let context: ManagedObjectContext
  private let question: Question
  private let controller: FetchedResultsController<Walk>
  /// The list that is updated by the steps alone.
  private var sections: [(name: String, ids: [ManagedObjectID])] = []
  private(set) var steps = 0
  private var complaint: String?

  init(_ context: ManagedObjectContext, number: Int) throws {
    self.context = context
    self.number = number
    let questions = Self.questions(ofDogs: context.parent == nil)
    question = questions[number % questions.count]
    controller = FetchedResultsController(
      fetchRequest: question.request, managedObjectContext: context,
      sectionNameKeyPath: question.section)
    try performFetch()
    controller.onChange = { [unowned self] changes in
      for change in changes { apply(change) }
      steps += changes.count
    }
  }

  func performFetch() throws {
    try controller.performFetch()
    sections = controller.sections.map { ($0.name, $0.objects.map(\.objectID)) }
  }

  /// What is wrong once an event has ended; nil if nothing is.
  func fault(among walks: [Walk]) -> String? {
    if let complaint { return complaint }
    if let error = controller.lastError { return "\(error)" }
    let shown = controller.fetchedObjects
    let expected = answer(among: walks)
    guard shown.map(\.objectID) == expected.map(\.objectID), shown == expected else {
      return "shown are \(names(shown)), and there are \(names(expected))"
    }
    let told = sections.flatMap(\.ids)
    guard told == shown.map(\.objectID) else { return "told are \(told), shown \(names(shown))" }
    guard sections.map(\.name) == controller.sections.map(\.name) else {
      return "told are sections \(sections.map(\.name)), shown \(controller.sections.map(\.name))"
    }
    return nil
  }

  private func names(_ walks: [Walk]) -> [String] {
    walks.map { "\($0._key):\(Int($0.duration ?? -1) / 60)\($0.note ?? "-")" }
  }

  private func answer(among walks: [Walk]) -> [Walk] {
    let sorted = walks.filter(question.keeps).sorted {
      question.inOrder($0, $1) ?? Self.stands($0._key, before: $1._key)
    }
    let limit = question.request.fetchLimit
    return limit > 0 ? Array(sorted.prefix(limit)) : sorted
  }

  /// Unsaved objects come after all others, in order of creation.
  private static func stands(_ one: Int64, before other: Int64) -> Bool {
    guard (one > 0) == (other > 0) else { return one > 0 }
    return one > 0 ? one < other : one > other
  }

  private func apply(_ change: FetchedResultsChange) {
    func check(_ isTrue: Bool) { if !isTrue { complaint = complaint ?? "\(change)" } }
    switch change {
    case .insertSection(let name, let place): sections.insert((name, []), at: place)
    case .deleteSection(let name, let place):
      let section = sections.remove(at: place)
      check(section.name == name && section.ids.isEmpty)
    case .insert(let id, let place): sections[place.section].ids.insert(id, at: place.item)
    case .delete(let id, let place):
      check(sections[place.section].ids.remove(at: place.item) == id)
    case .move(let id, let from, let to):
      check(sections[from.section].ids.remove(at: from.item) == id)
      sections[to.section].ids.insert(id, at: to.item)
    case .update(let id, let place): check(sections[place.section].ids[place.item] == id)
    case .obtainPermanentID(let id, let temporary, let place):
      check(sections[place.section].ids[place.item] == temporary && temporary.isTemporaryID)
      sections[place.section].ids[place.item] = id
    }
  }
}

// MARK: Queries

extension WatchedResults {
  /// Some that a controller answers by itself, and some for which it has to fetch.
  ///
  /// A child is not asked about a walk's dog: a dog that the parent has yet to delete is gone here,
  /// and a walk that others give it meanwhile has it there.
  private static func questions(ofDogs: Bool) -> [Question] {
    func byDuration(_ one: Walk, _ other: Walk) -> Bool? { order(one.duration, other.duration) }
    func question(
      _ format: String?, _ sorts: [FetchSortDescriptor], section: String? = nil, limit: Int = 0,
      keeps: @escaping (Walk) -> Bool, inOrder: @escaping (Walk, Walk) -> Bool?
    ) -> Question {
      var question = Question(section: section, keeps: keeps, inOrder: inOrder)
      // swift-format-ignore: NeverUseForceTry
      question.request.predicate = format.map { try! FetchPredicate(format: $0) }
      question.request.sortDescriptors = sorts
      question.request.fetchLimit = limit
      return question
    }
    let (duration, note) = (FetchSortDescriptor(key: "duration"), FetchSortDescriptor(key: "note"))
    let ofWalks = [
      question(nil, [duration], keeps: { _ in true }, inOrder: byDuration),
      question("duration > 1800", [note], keeps: { ($0.duration ?? 0) > 1_800 }) {
        order($0.note, $1.note)
      },
      question("note == 'a'", [], keeps: { $0.note == "a" }, inOrder: { _, _ in nil }),
      question(nil, [duration], limit: 4, keeps: { _ in true }, inOrder: byDuration),
    ]
    guard ofDogs else { return ofWalks }
    return ofWalks + [
      question(
        "dog.targetMinutes > 20", [.init(key: "duration", ascending: false)],
        keeps: { ($0.dog?.targetMinutes ?? 0) > 20 }, inOrder: { byDuration($1, $0) }),
      question(
        nil, [.init(key: "dog.name"), duration], section: "dog.name", keeps: { _ in true }
      ) { order($0.dog?.name, $1.dog?.name) ?? byDuration($0, $1) },
      question(
        "dog.walks.@count > 2", [note, duration], section: "note",
        keeps: { ($0.dog?.walks.count ?? 0) > 2 }
      ) { order($0.note, $1.note) ?? byDuration($0, $1) },
    ]
  }

  /// Whether one comes before another; nil if they are equal.
  ///
  /// A missing value comes first.
  private static func order<Value: Comparable>(_ one: Value?, _ other: Value?) -> Bool? {
    switch (one, other) {
    case (nil, nil): nil
    case (nil, _): true
    case (_, nil): false
    case (let one?, let other?): one == other ? nil : one < other
    }
  }
}

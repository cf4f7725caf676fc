import DogWalkModel
import ManagedObjects
import TestSupport
import Testing

/// Random steps in one context and on its copy at once.
///
/// Undoing leads to the previous state, as long as nothing was merged since. Once something was,
/// all that is certain is that the two sides of every relationship agree and that a save stores the
/// current state.
struct RandomMergingWork {
  let context: ManagedObjectContext
  let manager = ContextUndoManager()
  private(set) var now = RandomWorld()
  private var base = RandomWorld()
  private var appended: Set<Int> = []
  private var rearranged: Set<String> = []
  /// Even in one context and odd in the other, so that all numbers differ.
  private var number: Int
  /// The states that undo and redo pass through, and the context's index in them.
  private var history: [RandomWorld] = [RandomWorld()]
  private var place = 0
  /// Whether something was merged since the history began.
  private var isMixed = false
  /// How often the other context had undone something at the last check.
  private var seenUndoings = 0
  /// Whether something was undone and is not saved: which of the other's changes would win is more
  /// than dictionaries can tell.
  private(set) var hasUndone = false
  /// What was found wrong.
  private(set) var complaint: String?
  private(set) var saves = 0
  private(set) var undoings = 0

  init(_ context: ManagedObjectContext, number: Int) {
    self.context = context
    self.number = number
    context.automaticallyMergesChangesFromParent = true
    context.undoManager = manager
  }

  mutating func mergeAndSave(_ stored: inout RandomWorld) throws {
    merge(stored)
    try context.save()
    saves += 1
    stored = now
    settle()
  }

  private mutating func settle() {
    base = now
    appended = []
    rearranged = []
    hasUndone = false
  }

  /// Ends the event, which is undone as one.
  private mutating func endEvent() {
    context.processPendingChanges()
    guard !isMixed else { return }
    if now != history[place] {
      history = history[...place] + [now]
      place += 1
    }
    if manager.canUndo != (place > 0) { complaint = "canUndo is \(manager.canUndo)" }
    if manager.canRedo != (place < history.count - 1) {
      complaint = "canRedo is \(manager.canRedo)"
    }
  }

  private mutating func forget() {
    manager.removeAllActions()
    history = [now]
    place = 0
    isMixed = false
  }

  /// What the context does by itself whenever it is used.
  private mutating func merge(_ stored: RandomWorld) {
    guard stored != base else { return }
    isMixed = true
    now = stored.merging(now, base: base, appended: appended, rearranged: rearranged)
    base = stored
    appended = appended.filter { now.walks[$0] != nil }
  }

  mutating func step(
    _ random: inout SeededGenerator, stored: inout RandomWorld, other: RandomMergingWork
  ) throws {
    try work(&random, stored: &stored, other: other)
    endEvent()
  }

  private mutating func work(
    _ random: inout SeededGenerator, stored: inout RandomWorld, other partner: RandomMergingWork
  ) throws {
    let mayDeleteDogs = !partner.context.hasChanges
    // Undoing may restore deleted objects: then the same is stored as before, but its objects here
    // are others.
    if partner.undoings != seenUndoings { isMixed = true }
    seenUndoings = partner.undoings
    // A fetch merges.
    merge(stored)
    var request = Dog.fetchRequest()
    request.sortDescriptors = [.init(key: "name")]
    let dogs = try context.fetch(request)
    let kind = Int.random(in: 0..<32, using: &random)
    // A context that has undone something saves first.
    let maySave = !partner.hasUndone
    if kind > 23, maySave {
      return try undo(kind < 29, stored: &stored, mayDeleteDogs: mayDeleteDogs)
    }
    guard dogs.count > 1, kind > 0 || dogs.count > 5 else { return try addDog() }
    let dog = dogs.randomElement(using: &random)!
    let other = dogs.randomElement(using: &random)!
    let count = now.dogs[dog.name]!.walks.count
    let place = count > 0 ? Int.random(in: 0..<count, using: &random) : 0
    switch kind {
    case 1 where mayDeleteDogs && maySave && dogs.count > 3:
      delete(dog)
      // At once, so that the other does not give it walks meanwhile.
      endEvent()
      try mergeAndSave(&stored)
    case 2...5: add(newWalk(), to: dog, at: nil)
    case 6: add(newWalk(), to: dog, at: Int.random(in: 0...count, using: &random))
    case 7, 8:
      let minutes = Int16.random(in: 1..<100, using: &random)
      dog.targetMinutes = minutes
      now.dogs[dog.name]!.target = minutes
    case 9...11 where count > 0:
      let note = "note \(Int.random(in: 0..<1_000, using: &random))"
      dog.walks[place].note = note
      now.walks[now.dogs[dog.name]!.walks[place]]!.note = note
    case 12...13 where count > 0:
      guard other != dog else { return }
      let walk = dog.walks[place]
      walk.dog = other
      let minutes = now.dogs[dog.name]!.walks.remove(at: place)
      now.dogs[other.name]!.walks.append(minutes)
      now.walks[minutes]!.dog = other.name
      appended.insert(minutes)
    case 14...15 where count > 1:
      var walks = dog.walks
      let to = Int.random(in: 0..<count, using: &random)
      guard to != place else { return }
      walks.move(fromOffset: place, toOffset: to)
      dog.walks = walks
      now.dogs[dog.name]!.walks.insert(now.dogs[dog.name]!.walks.remove(at: place), at: to)
      rearranged.insert(dog.name)
    case 16 where count > 0:
      context.delete(dog.walks[place])
      now.walks[now.dogs[dog.name]!.walks.remove(at: place)] = nil
    case 17:
      context.rollback()
      now = base
      settle()
      forget()
    case 22 where count > 0 && !hasUndone: try refresh(dog.walks[place])
    case 18: try context.refreshAllObjects()
    case 19...21 where maySave: try mergeAndSave(&stored)
    case 23: forget()
    default: context.processPendingChanges()
    }
  }

  /// Undoes or redoes one event.
  private mutating func undo(
    _ isBack: Bool, stored: inout RandomWorld, mayDeleteDogs: Bool
  ) throws {
    let next = place + (isBack ? -1 : 1)
    let perform = { [context] in isBack ? context.undo() : context.redo() }
    guard !isMixed else {
      // At once, so that the other's work does not depend on what is deleted.
      if mayDeleteDogs { try undoMixed(perform, &stored) }
      return
    }
    // Nothing to do.
    guard history.indices.contains(next) else { return perform() }
    let bringsDogs = Set(history[next].dogs.keys) != Set(now.dogs.keys)
    guard mayDeleteDogs || !bringsDogs else { return }
    perform()
    undoings += 1
    (place, now, hasUndone) = (next, history[next], true)
    if bringsDogs { return try mergeAndSave(&stored) }
    guard !context.hasChanges else { return }
    if now != base {
      complaint = "nothing to save, but \(now.difference(from: base)) is not stored"
    }
    settle()
  }

  /// Undoes changes that others have partly overwritten, and saves where the model allows it.
  private mutating func undoMixed(_ perform: () -> Void, _ stored: inout RandomWorld) throws {
    perform()
    now = try RandomWorld(of: context)
    do {
      try context.save()
      if !now.contradictions.isEmpty { complaint = "\(now.contradictions)" }
      saves += 1
      undoings += 1
      stored = now
      settle()
    } catch is ValidationError {
      // A walk whose dog is gone.
      context.rollback()
      now = base
      settle()
      forget()
    }
  }

  /// Gives a stored walk its stored values back, and its index.
  private mutating func refresh(_ walk: Walk) throws {
    let minutes = Int(walk.duration! / 60)
    guard let old = base.walks[minutes], let owner = base.dogs[old.dog], now.dogs[old.dog] != nil,
      // Where other walks have moved, the index of this one is unknown.
      !rearranged.contains(old.dog), appended.isDisjoint(with: owner.walks.filter { $0 != minutes })
    else { return }
    if walk.hasChanges { isMixed = true }
    try context.refresh(walk, mergeChanges: false)
    let dog = now.walks[minutes]!.dog
    now.dogs[dog]!.walks.removeAll { $0 == minutes }
    now.walks[minutes] = old
    appended.remove(minutes)
    let present = now.dogs[old.dog]!.walks
    let stay = owner.walks.filter { $0 == minutes || present.contains($0) }
    now.dogs[old.dog]!.walks = stay + present.filter { !stay.contains($0) }
  }

  private mutating func addDog() throws {
    number += 2
    let name = "Dog \(number)"
    _ = try Dog.findOrCreate(named: name, in: context)
    now.dogs[name] = RandomWorld.Dog()
  }

  private mutating func delete(_ dog: Dog) {
    for minutes in now.dogs[dog.name]!.walks { now.walks[minutes] = nil }
    now.dogs[dog.name] = nil
    context.delete(dog)
  }

  private mutating func add(_ walk: Walk, to dog: Dog, at place: Int?) {
    let minutes = Int(walk.duration! / 60)
    now.walks[minutes] = RandomWorld.Walk(dog: dog.name)
    appended.insert(minutes)
    if let place, place < now.dogs[dog.name]!.walks.count {
      dog.insertIntoWalks(walk, at: place)
      now.dogs[dog.name]!.walks.insert(minutes, at: place)
      rearranged.insert(dog.name)
    } else {
      dog.addToWalks(walk)
      now.dogs[dog.name]!.walks.append(minutes)
    }
  }

  private mutating func newWalk() -> Walk {
    number += 2
    return Walk(minutes: number, in: context)
  }
}

import ManagedObjects

#if canImport(CoreData)
  import CoreData
#endif

/* class Visit: ManagedObject {} is what momc writes. */
let text = "class Note: ManagedObject {}"
let lines = #"""
  class Note: ManagedObject { """ }
  """#

/// By hand, whatever the model says: momc writes what it lacks.
nonisolated class Animal: ManagedObject {
  var count = 0
  #if canImport(CoreData)
    @NSManaged var name: String
  #endif

  override func prepareForDeletion() {
    var weight = 0
    weight += 1
    count += weight
  }
}

@available(macOS 15, *)
nonisolated final class Dog: Animal {
  /// Not by its slot: a shout.
  var call: String? {
    get {
      let value: String? = optionalValue(at: "call")
      return value?.uppercased()
    }
    set { setOptionalValue(newValue, at: "call") }
  }
}

nonisolated final class Owner: ManagedObject {}

nonisolated extension Owner {
  func addToDogs(_ dog: Dog) { dog.owner = self }

  struct Visit {
    class Note {}
  }
}

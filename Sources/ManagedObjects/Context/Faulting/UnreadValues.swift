/// A part of an object that could not be read.
struct UnreadValues {
  enum Part {
    case row
    /// The to-many with a number.
    case toMany(Int)
    case fetchedProperty
  }

  let object: ManagedObject
  let part: Part
  let error: any Error
}

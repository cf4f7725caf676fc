/// A collection of objects: an array, a set or an ordered set.
protocol ObjectCollection {
  /// The objects, in order if the collection has one.
  var objects: [ManagedObject] { get }
}

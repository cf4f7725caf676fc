extension FetchSortDescriptor {
  /// Creates a sort descriptor for the property that a key path reads.
  ///
  ///     request.sortDescriptors = [.init(keyPath: \Walk.date, ascending: false)]
  ///     request.sortDescriptors = [.init(keyPath: \Walk.dog?.name)]   // "dog.name"
  ///
  /// Follows Core Data's `NSSortDescriptor(keyPath:ascending:)`.
  ///
  /// - Precondition: the key path reads a stored property, directly or through to-ones.
  public init<Root: ManagedObject, Value>(
    keyPath: KeyPath<Root, Value>, ascending: Bool = true, selector: Selector = .compare
  ) {
    self.init(key: KeyPathProbe.key(keyPath), ascending: ascending, selector: selector)
  }
}

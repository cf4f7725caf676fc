/// The queue on which a context's work is done.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The caller's thread.
  case confinementConcurrencyType
  /// A queue of its own.
  case privateQueueConcurrencyType
  /// The main queue.
  case mainQueueConcurrencyType
}

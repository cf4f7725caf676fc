public import ManagedObjects

/// A dog, known by one name whatever its spelling.
public final class Dog: ManagedObject {}

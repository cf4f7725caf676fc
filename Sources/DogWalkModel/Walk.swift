public import ManagedObjects

/// A walk with a dog.
public final class Walk: ManagedObject {}

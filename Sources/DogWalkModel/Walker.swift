public import ManagedObjects

/// Somebody who walks dogs, known by one name whatever its spelling.
///
/// Its properties are written by momc: `name`, `nameKey`, `walks`.
public final class Walker: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

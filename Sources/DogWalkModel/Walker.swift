public import ManagedObjects

/// A person who walks dogs, identified by one name in any spelling.
///
/// momc generates its properties: `name`, `nameKey`, `walks`.
public final class Walker: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

public import ManagedObjects

/// A word that walks have in common, as in `park`, whatever its spelling.
///
/// Its properties are written by momc: `name`, `nameKey`, `walks`.
public final class Tag: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

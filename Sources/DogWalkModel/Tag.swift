public import ManagedObjects

/// A word that several walks share, such as `park`, identified in any spelling.
///
/// momc generates its properties: `name`, `nameKey`, `walks`.
public final class Tag: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }
}

public import ManagedObjects
import SystemLibraries

/// A dog, identified by one name in any spelling.
///
/// momc generates its properties: `name`, `nameKey`, `targetMinutes`, `maximumGap`, `walks`, and
/// `uuid`, which identifies the dog in other stores.
public final class Dog: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }

  /// Gives a new dog a random UUID.
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid = .random()
  }
}

public import ManagedObjects
import SystemLibraries

/// A dog, known by one name whatever its spelling.
///
/// Its properties are written by momc: `name`, `nameKey`, `targetMinutes`, `maximumGap`, `walks`,
/// and `uuid`, by which other stores know it.
public final class Dog: ManagedObject {
  public override class var overriddenMethods: OverriddenMethods { [] }

  /// Gives a new dog its UUID.
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid = .random()
  }
}

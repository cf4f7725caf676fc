public import ManagedObjects
import SystemLibraries

/// A dog, known by one name whatever its spelling.
///
/// Its properties are written by momc: `name`, `nameKey`, `targetMinutes`, `maximumGap`, `walks`,
/// and `uuid`, by which other stores know it.
public final class Dog: ManagedObject {
  /// Gives a new dog its UUID.
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid = .random()
  }
}

public import CoreDataNames

/// Category/Extension.
nonisolated public class Walk: NSManagedObject {}

/// Manual/None.
nonisolated public class Owner: NSManagedObject {
  public override func awakeFromInsert() { name = "Nobody" }
}

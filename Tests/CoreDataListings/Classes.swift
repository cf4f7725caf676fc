import CoreDataNames
import Foundation

// Codegen Category/Extension and Manual/None: the app declares the classes, and momc writes their
// properties.

/// Category/Extension.
public class Walk: NSManagedObject {}

/// Manual/None.
public class Owner: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    name = "Nobody"
  }

  var firstDog: Dog? { dogs?.anyObject() as? Dog }
}

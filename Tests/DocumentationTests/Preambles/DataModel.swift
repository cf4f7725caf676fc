// What the examples of DataModel assume.
@testable import DataModel
import Foundation

var blob: [UInt8] { [] }
var content: [UInt8] { [] }
var dog: EntityDescription { EntityDescription(name: "Dog", properties: []) }
var walk: EntityDescription { EntityDescription(name: "Walk", properties: []) }
var bytes: [UInt8] { [] }
var list: PropertyList { .array([]) }
var metadata: [String: PropertyList] { [:] }
var model: ManagedObjectModel { ManagedObjectModel(entities: []) }
var name: String { "" }
var newModel: ManagedObjectModel { model }
var oldModel: ManagedObjectModel { model }
var output: URL { URL(filePath: "") }

extension ManagedObjectModel {
  static var dogWalk: ManagedObjectModel { model }
  static var dogWalkVersions: [String: ManagedObjectModel] { [:] }
  static var places: ManagedObjectModel { model }
}

extension AttributeDescriptionExamples {
  static var attribute: AttributeDescription {
    get { fatalError() }
    set {}
  }
}

extension EntityDescriptionExamples {
  static var entity: EntityDescription {
    get { fatalError() }
    set {}
  }
}

extension FetchIndexDescriptionExamples {
  static var index: FetchIndexDescription {
    get { fatalError() }
    set {}
  }
}

extension FetchRequestDescriptionExamples {
  static var request: FetchRequestDescription {
    get { fatalError() }
    set {}
  }
}

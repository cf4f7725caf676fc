// What the examples of ModelComparison assume.
import DataModel
@testable import ModelComparison

var dog: EntityDescription { EntityDescription(name: "Dog", properties: []) }
var newModel: ManagedObjectModel { ManagedObjectModel(entities: []) }
var oldModel: ManagedObjectModel { newModel }
var walk: EntityDescription { EntityDescription(name: "Walk", properties: []) }

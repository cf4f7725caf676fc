// Who imports ManagedObjects describes models too, as with Core Data's one framework.
@_exported public import DataModel
// Predicates say how texts are compared, and which pattern cannot be read.
@_exported public import TextMatching

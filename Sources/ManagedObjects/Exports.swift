// Who imports ManagedObjects describes models too, as with Core Data's one framework.
@_exported public import DataModel

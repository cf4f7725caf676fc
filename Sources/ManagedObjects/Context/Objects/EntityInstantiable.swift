/// A class with objects that are created by entity; every managed object class.
///
/// A protocol is needed for `init(entity:insertInto:)`: an initialiser of a class creates an object
/// of exactly the class that it is called on, one of a protocol may return one of a subclass.
public protocol EntityInstantiable {}

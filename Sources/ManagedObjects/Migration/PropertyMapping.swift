/// The source of the value of a property of the destination.
///
///     PropertyMapping(name: "name", sourceName: "title")
///     PropertyMapping(name: "walks", sourceName: "walks", mappedBy: "WalkToOuting")
///     PropertyMapping(name: "hours", value: .expression(
///       .function(.divide, [.property(of: .variable("source"), "seconds"), .constant(.double(3600))])))
///
/// Follows Core Data's `NSPropertyMapping`.
public struct PropertyMapping: Sendable, Hashable {
  /// The source of a property's value.
  public enum Value: Sendable, Hashable {
    /// The value of an expression, in which `$source` is the source's object.
    ///
    /// Key paths after it are evaluated by `value(forKeyPath:)`; any other expression must be
    /// supported in a fetch of dictionaries.
    case expression(FetchExpression)
    /// The destination's objects for the source objects that an expression evaluates to.
    ///
    /// With a name, only those of the mapping with that name.
    case destinationInstances(of: FetchExpression, mappedBy: String?)
    /// The result of a method of the policy for some arguments, by its selector in the mapping
    /// model.
    ///
    /// ``EntityMigrationPolicy/value(forFunction:arguments:of:manager:)`` is called for it. An
    /// argument is an expression on `$source`, or just one of the variables `$destination`,
    /// `$manager`, `$entityMapping` and `$propertyMapping`. Xcode writes
    /// `FUNCTION($entityPolicy, "sizeFromWeight:", $source.weight)`.
    case policyFunction(String, arguments: [FetchExpression])
  }

  /// The property's name in the destination.
  public var name: String
  /// The source of its value; nil if it keeps its default value, or its policy sets it.
  public var value: Value?
  /// Custom values for a policy.
  public var userInfo: [String: String] = [:]

  /// Creates a mapping with any value.
  public init(name: String, value: Value?) {
    self.name = name
    self.value = value
  }

  /// Creates a mapping of an attribute to one of the source; nil if it is new.
  public init(name: String, sourceName: String?) {
    self.init(name: name, value: sourceName.map { .expression(Self.source($0)) })
  }

  /// Creates a mapping of a relationship to the destination's objects for one of the source.
  public init(name: String, sourceName: String?, mappedBy mapping: String?) {
    self.init(
      name: name,
      value: sourceName.map { .destinationInstances(of: Self.source($0), mappedBy: mapping) })
  }

  private static func source(_ name: String) -> FetchExpression {
    .property(of: .variable("source"), name)
  }

  /// The property's name in the source, if its value is that of one property; otherwise nil.
  public var sourceName: String? {
    guard
      let expression: FetchExpression =
        switch value {
        case .expression(let expression)?, .destinationInstances(let expression, _)?: expression
        case .policyFunction?, nil: nil
        },
      case .property(let base, let names) = expression.kind,
      base.kind == .variable("source"), !names.contains(".")
    else { return nil }
    return names
  }
}

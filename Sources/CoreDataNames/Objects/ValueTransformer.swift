/// Converts a transformable attribute's values to bytes and back.
///
///     struct Tag { var text: String }
///     final class TagTransformer: ValueTransformer {
///       override func transformedValue(_ value: Any?) -> Any? {
///         (value as? Tag).map { Data($0.text.utf8) }
///       }
///       override func reverseTransformedValue(_ value: Any?) -> Any? {
///         (value as? Data).map { Tag(text: String(decoding: $0, as: UTF8.self)) }
///       }
///     }
///     ValueTransformer.setValueTransformer(TagTransformer(), forName: NSValueTransformerName("Tag"))
///
/// Replaces Foundation's class, which does not exist on systems without Objective-C.
open class ValueTransformer {
  /// Creates a transformer, to be registered.
  public init() {}

  /// The class of the results of `transformedValue(_:)`; not used here.
  open class func transformedValueClass() -> AnyClass { NSData.self }
  /// Whether the transformation is reversible; not used here.
  open class func allowsReverseTransformation() -> Bool { true }

  /// The bytes of a value, `Data` or `NSData`; nil for none.
  open func transformedValue(_ value: Any?) -> Any? { value }
  /// The value of stored bytes, which are an `NSData`; nil for none.
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }

  /// Registers a transformer under the name that models use for it; nil removes it.
  public static func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    AttributeDescription.setValueTransformer(
      transformer.map(Adapter.init), forName: name.rawValue)
  }

  /// The names under which transformers were registered, sorted.
  public static func valueTransformerNames() -> [NSValueTransformerName] {
    AttributeDescription.valueTransformerNames().map(NSValueTransformerName.init(rawValue:))
  }

  /// An adapter to the library's protocol.
  private struct Adapter: AttributeDescription.ValueTransformer, @unchecked Sendable {
    // Unchecked, as Foundation's: a transformer has no state, or guards it.

    let transformer: ValueTransformer

    func transformedValue(_ value: Any) throws -> Data {
      switch transformer.transformedValue(value) {
      case let data as Data: return data
      case let data as NSData: return data as Data
      default: throw NoTransformedValue()
      }
    }

    func reverseTransformedValue(_ data: Data) throws -> Any {
      guard let value = transformer.reverseTransformedValue(data as NSData) else {
        throw NoTransformedValue()
      }
      return value
    }
  }
}

@available(*, unavailable) extension ValueTransformer: Sendable {}

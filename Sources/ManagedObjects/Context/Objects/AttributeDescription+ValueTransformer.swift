public import DataModel
public import SystemLibraries

extension AttributeDescription {
  /// Converts a transformable attribute's values to bytes and back.
  ///
  ///     struct ColourTransformer: AttributeDescription.ValueTransformer {
  ///       func transformedValue(_ colour: Colour) throws -> Data { try JSONEncoder().encode(colour) }
  ///       func reverseTransformedValue(_ data: Data) throws -> Colour {
  ///         try JSONDecoder().decode(Colour.self, from: data)
  ///       }
  ///     }
  ///     AttributeDescription.setValueTransformer(ColourTransformer(), forName: "ColourTransformer")
  ///
  /// `NSSecureUnarchiveFromData` need not be registered: it supports arrays, dictionaries, sets,
  /// strings, numbers, decimals, dates, data, URLs and UUIDs in keyed archives, as apps on Apple's
  /// systems write them. nil in a collection corresponds to `NSNull` there: `[1, nil, 3]` is an
  /// `[Int?]`. It also applies to attributes that name no transformer.
  ///
  /// Follows Core Data's use of Foundation's `ValueTransformer`, whose name is taken.
  public protocol ValueTransformer: Sendable {
    /// The type of the values.
    associatedtype Value
    /// The bytes of a value, as they are stored.
    func transformedValue(_ value: Value) throws -> Data
    /// The value of stored bytes; they may be anything in a damaged store.
    func reverseTransformedValue(_ data: Data) throws -> Value
  }

  /// Registers a transformer under the name that models use for it; nil removes it.
  ///
  /// One with the name of a standard transformer replaces it. Applies to the whole process;
  /// register it before the first value is read. May be called from any thread.
  public static func setValueTransformer(
    _ transformer: (any ValueTransformer)?, forName name: String
  ) {
    ValueTransformers.shared.set(transformer, forName: name)
  }

  /// The transformer with a name, registered or standard; nil if there is none.
  public static func valueTransformer(forName name: String) -> (any ValueTransformer)? {
    ValueTransformers.shared.transformer(forName: name)
      ?? (StandardTransformer.names.contains(name) ? StandardTransformer() : nil)
  }

  /// The names under which transformers were registered, sorted.
  public static func valueTransformerNames() -> [String] { ValueTransformers.shared.names }

  /// The attribute's own transformer; nil if it names one that is not registered.
  ///
  /// Without a name it is Core Data's default.
  var valueTransformer: (any ValueTransformer)? {
    guard let valueTransformerName else { return StandardTransformer() }
    return Self.valueTransformer(forName: valueTransformerName)
  }
}

/// The transformers of the process by name.
private final class ValueTransformers: @unchecked Sendable {
  static let shared = ValueTransformers()
  private let lock = Lock()
  // Guarded by the lock.
  private var transformers: [String: any AttributeDescription.ValueTransformer] = [:]

  func set(_ transformer: (any AttributeDescription.ValueTransformer)?, forName name: String) {
    lock.withLock { transformers[name] = transformer }
  }
  func transformer(forName name: String) -> (any AttributeDescription.ValueTransformer)? {
    lock.withLock { transformers[name] }
  }
  var names: [String] { lock.withLock { transformers.keys.sorted() } }
}

import Foundation
import ManagedObjects

extension PropertyList {
  /// The value in Foundation's types for property lists.
  var foundationValue: Any {
    switch self {
    case .dictionary(let entries): entries.mapValues(\.foundationValue)
    case .array(let values): values.map(\.foundationValue)
    case .string(let text): text
    case .data(let data): data
    case .date(let date): date
    case .integer(let number): NSNumber(value: number)
    case .unsignedInteger(let number), .uid(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .boolean(let flag): NSNumber(value: flag)
    }
  }

  /// Converts a value of Foundation's property lists; nil for other types.
  init?(foundationValue value: Any) {
    switch value {
    case let entries as [String: Any]:
      self = .dictionary(entries.compactMapValues { PropertyList(foundationValue: $0) })
    case let values as [Any]: self = .array(values.compactMap { PropertyList(foundationValue: $0) })
    case let text as String: self = .string(text)
    case let data as Data: self = .data(data)
    case let date as Date: self = .date(date)
    case let number as NSNumber:
      self =
        switch number.attributeValue {
        case .double(let value): .real(value)
        case .boolean(let value): .boolean(value)
        default: .integer(number.int64Value)
        }
    default: return nil
    }
  }
}

extension ManagedObjectModel {
  /// Creates a model without entities, for a coordinator that only manages files.
  public init() { self.init(entities: []) }

  /// Whether a store with some metadata is of this model.
  ///
  ///     model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    isCompatible(
      withStoreMetadata: metadata.compactMapValues { PropertyList(foundationValue: $0) },
      configurationName: configuration)
  }
}

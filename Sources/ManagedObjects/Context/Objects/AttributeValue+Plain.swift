import DataModel

extension AttributeValue {
  /// The payload of the value's case.
  var plain: any Sendable {
    switch self {
    case .integer(let value): value
    case .double(let value): value
    case .decimal(let value): value
    case .boolean(let value): value
    case .string(let value): value
    case .date(let value): value
    case .binary(let value): value
    case .uuid(let value): value
    case .uri(let value): value
    }
  }
}

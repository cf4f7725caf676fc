import DataModel
import SystemLibraries

extension SQLStatement {
  /// Binds a value in the form that Core Data stores.
  func bind(_ value: AttributeValue, at parameter: Int32) {
    switch value {
    case .integer(let number): bind(number, at: parameter)
    case .boolean(let flag): bind(flag ? Int64(1) : 0, at: parameter)
    case .double(let number): bind(number, at: parameter)
    case .decimal(let number): bind(number.stored, at: parameter)
    case .date(let date): bind(date.timeIntervalSinceReferenceDate, at: parameter)
    case .string(let text): bind(text, at: parameter)
    case .uri(let url): bind(url.absoluteString, at: parameter)
    case .uuid(let uuid): bind(withUnsafeBytes(of: uuid.uuid) { Array($0) }, at: parameter)
    case .binary(let data): bind(Array(data), at: parameter)
    }
  }
}

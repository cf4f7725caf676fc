import DataModel
import SystemLibraries

extension AttributeValue {
  /// The value converted to an attribute type; nil if it does not fit.
  ///
  /// An integer fits every numeric type that can hold it, a floating-point number the types with a
  /// fraction; 0 and 1 fit a Boolean, as with Core Data's numbers.
  func fitting(_ type: AttributeDescription.AttributeType) -> AttributeValue? {
    switch (type, self) {
    case (.integer16, .integer(let number)): Int16(exactly: number) == nil ? nil : self
    case (.integer32, .integer(let number)): Int32(exactly: number) == nil ? nil : self
    case (.boolean, .integer(let number)):
      number == 0 || number == 1 ? .boolean(number == 1) : nil
    case (.double, .integer(let number)): .double(Double(number))
    case (.float, .integer(let number)): .double(Double(Float(number)))
    case (.float, .double(let number)): .double(Double(Float(number)))
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    case (.decimal, .double(let number)): .decimal(Decimal(stored: number))
    case (.integer64, .integer), (.boolean, .boolean), (.double, .double), (.decimal, .decimal),
      (.string, .string), (.date, .date), (.binaryData, .binary), (.uuid, .uuid), (.uri, .uri):
      self
    default: nil
    }
  }
}

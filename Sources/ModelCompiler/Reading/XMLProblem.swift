/// What libxml's error numbers mean for somebody who looks at the file.
enum XMLProblem {
  /// A sentence for an error number.
  ///
  /// - Parameter element: the innermost element that is open at the place of the error.
  static func message(code: Int, insideOf element: String?) -> String {
    let place = element.map { " in <\($0)>" } ?? ""
    return switch code {
    case 4: "this file is empty or is not XML"
    case 5 where element == nil: "there is something behind the end of the model"
    case 5, 77: "the file ends too early\(place)"
    case 9: "a character that XML does not allow\(place)"
    case 26: "an unknown entity\(place)"
    case 27, 28, 68: "a name is missing or malformed\(place)"
    case 38, 39, 40, 41: "an attribute without a quoted value\(place)"
    case 42: "an attribute occurs twice\(place)"
    case 65, 73: "a tag is not closed properly\(place)"
    case 76: "a closing tag does not match <\(element ?? "")>"
    case 81: "the file is not in the encoding that it declares"
    default: "this is not well-formed XML (libxml error \(code))\(place)"
    }
  }
}

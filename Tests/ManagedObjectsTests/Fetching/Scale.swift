import Foundation
import ManagedObjects
import Testing

/// Three values of one attribute in their order, and how to set them and find them again.
struct Scale: Sendable, CustomTestStringConvertible {
  let attribute: String
  let values: [AttributeValue]
  let set: @Sendable (Sample, Int) -> Void
  private let get: @Sendable (Sample) -> AttributeValue?
  var testDescription: String { "\(attribute) \(values)" }

  init<Value: Sendable>(
    _ attribute: String, _ path: any ReferenceWritableKeyPath<Sample, Value?> & Sendable,
    _ values: [Value], _ wrap: @escaping @Sendable (Value) -> AttributeValue
  ) {
    self.attribute = attribute
    self.values = values.map(wrap)
    set = { $0[keyPath: path] = values[$1] }
    get = { $0[keyPath: path].map(wrap) }
  }

  /// Which of the values the sample at the end of some to-ones has; nil if it has none.
  func rank(of sample: Sample, hops: Int) -> Int? {
    var end: Sample? = sample
    for _ in 0..<hops { end = end?.next }
    guard let value = end.flatMap(get) else { return nil }
    return values.firstIndex { candidate in
      // Two spellings of one text are two values here.
      if case (.string(let one), .string(let other)) = (candidate, value) {
        return one.utf8.elementsEqual(other.utf8)
      }
      return candidate == value
    }
  }

  static let all: [Scale] = [
    Scale("short", \.short, [.min, 0, .max]) { .integer(Int64($0)) },
    Scale("middle", \.middle, [.min, 0, .max]) { .integer(Int64($0)) },
    Scale("long", \.long, [.min, 0, .max]) { .integer($0) },
    Scale("long", \.long, [1 << 53, 1 << 53 + 1, 1 << 53 + 2]) { .integer($0) },
    Scale("long", \.long, [-2, 0, 3]) { .double(Double($0)) },
    Scale("real", \.real, [-.infinity, 0.5, .infinity]) { .double($0) },
    Scale("real", \.real, [-0.1, 0, .leastNonzeroMagnitude]) { .double($0) },
    Scale("real", \.real, [-1, 0, 1]) { .integer(Int64($0)) },
    Scale("single", \.single, [-0.5, 0.25, 1024]) { .double(Double($0)) },
    Scale("date", \.date, [.distantPast, Date(timeIntervalSince1970: 0.5), .distantFuture]) {
      .date($0)
    },
    Scale("price", \.price, ["-19.99", "0", "3.133"].map { Decimal(string: $0)! }) { .decimal($0) },
    Scale("text", \.text, ["", "a", "ä"]) { .string($0) },
    Scale("text", \.text, ["Zoo", "a", "a\(Stack.nul)b"]) { .string($0) },
    Scale("text", \.text, ["u\u{308}", "\u{FC}", "\u{1F415}"]) { .string($0) },
    Scale("text", \.text, ["\u{FFFF}", "\u{10000}", "\u{10FFFF}"]) { .string($0) },
    Scale("text", \.text, ["10", "2", "2.0"]) { .string($0) },
    Scale("link", \.link, ["http://a", "http://b", "x:y"].map { URL(string: $0)! }) { .uri($0) },
    Scale("uuid", \.uuid, ["00", "7F", "80"].map { uuid($0) }) { .uuid($0) },
    Scale("bytes", \.bytes, [Data(), Data([0]), Data([0xFF])]) { .binary(Data($0)) },
  ]

  private static func uuid(_ start: String) -> UUID {
    UUID(uuidString: "\(start)000000-0000-0000-0000-000000000000")!
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import DataFormats

extension PropertyList {
  /// Metadata like a store's.
  static let metadata = PropertyList.dictionary([
    "NSPersistenceFrameworkVersion": .integer(1_333),
    "NSStoreModelVersionHashes": .dictionary([
      "Dog": .data(Data(repeating: 0xc2, count: 32)),
      "Walk": .data(Data(repeating: 0x15, count: 32)),
    ]),
    "NSStoreModelVersionHashesVersion": .integer(3),
    "NSStoreModelVersionIdentifiers": .array([.string("")]),
    "NSStoreType": .string("SQLite"),
    "_NSAutoVacuumLevel": .string("2"),
    "dogwalk.currentDog": .string("Straßenköter"),
  ])

  /// A list with values of every kind, at most four levels deep.
  static func random(
    depth: Int = 0, using random: inout some RandomNumberGenerator
  ) -> PropertyList {
    switch Int.random(in: depth < 4 ? 0...11 : 4...11, using: &random) {
    case 0, 1:
      let keys = (0..<Int.random(in: 0...20, using: &random)).map { "key \($0 * $0)" }
      return .dictionary(
        Dictionary(
          uniqueKeysWithValues: keys.map { ($0, .random(depth: depth + 1, using: &random)) }))
    case 2, 3:
      return .array(
        (0..<Int.random(in: 0...20, using: &random)).map { _ in
          .random(depth: depth + 1, using: &random)
        })
    case 4: return .string(randomText(using: &random))
    case 5: return .string(["", "Fido", "Rex", "YES"].randomElement(using: &random) ?? "")
    case 6:
      let count = Int.random(in: 0...40, using: &random)
      return .data(Data((0..<count).map { _ in .random(in: 0...255, using: &random) }))
    case 7:
      let seconds = Int.random(in: -1_000_000_000...1_000_000_000, using: &random)
      return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case 8:
      let number = Int64.random(in: .min ... .max, using: &random)
      return .integer(number >> Int64.random(in: 0...63, using: &random))
    case 9:
      return Bool.random(using: &random)
        ? .unsignedInteger(.random(in: 1 << 63 ... .max, using: &random))
        : .uid(.random(in: 0...70_000, using: &random))
    case 10: return .real(.random(in: 0.001...1_000_000, using: &random))
    default: return .boolean(.random(using: &random))
    }
  }

  private static func randomText(using random: inout some RandomNumberGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [0x20...0x7e, 0xa0...0x17f, 0x1f400...0x1f4ff, 0...0xd7ff]
    let range = ranges.randomElement(using: &random) ?? 0...0
    let scalars = (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: range, using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

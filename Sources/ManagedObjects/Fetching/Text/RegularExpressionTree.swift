/// A regular expression as it was read.
indirect enum RegularExpressionTree {
  case empty
  case scalar(UInt32, ignoresCase: Bool)
  /// Any scalar, or any but the end of a line.
  case any(endsOfLines: Bool)
  /// A scalar of the set with this number.
  case set(Int)
  case assertion(RegularExpressionAssertion)
  case sequence([RegularExpressionTree])
  case alternatives([RegularExpressionTree])
  /// At most so many times; nil for any number of them.
  case repeated(RegularExpressionTree, least: Int, most: Int?)
}

/// A condition on a place in the text.
enum RegularExpressionAssertion: UInt8, Sendable {
  case textStart
  case textEnd
  /// The end, or before the line's end that is the last.
  case lastLineEnd
  case lineStart
  case lineEnd
  case wordBoundary
  case noWordBoundary
}

/// A set of scalars, as `[…]` or `\d` says.
struct RegularExpressionSet: Sendable {
  /// What is in the set.
  enum Member: Sendable {
    case range(ClosedRange<UInt32>)
    case property(ScalarProperty, isNegated: Bool)
    case set(RegularExpressionSet)
  }

  /// What is done to the set by one that follows.
  enum Operation: Sendable {
    case intersect(RegularExpressionSet)
    case subtract(RegularExpressionSet)
  }

  var members: [Member] = []
  var operations: [Operation] = []
  var isNegated = false
  var ignoresCase = false

  func contains(_ scalar: UInt32) -> Bool {
    var isIn = holds(scalar)
    if !isIn, ignoresCase { isIn = holdsOtherCase(of: scalar) }
    for operation in operations {
      switch operation {
      case .intersect(let other): isIn = isIn && other.contains(scalar)
      case .subtract(let other): isIn = isIn && !other.contains(scalar)
      }
    }
    return isIn != isNegated
  }

  private func holds(_ scalar: UInt32) -> Bool {
    members.contains {
      switch $0 {
      case .range(let range): range.contains(scalar)
      case .property(let property, let isNegated): property.holds(scalar) != isNegated
      case .set(let set): set.contains(scalar)
      }
    }
  }

  private func holdsOtherCase(of scalar: UInt32) -> Bool {
    let folded = ScalarData.simpleFold(scalar)
    if folded != scalar, holds(folded) { return true }
    guard let scalar = Unicode.Scalar(folded) else { return false }
    for mapping in [scalar.properties.uppercaseMapping, scalar.properties.titlecaseMapping] {
      let capitals = mapping.unicodeScalars
      if capitals.count == 1, let capital = capitals.first, holds(capital.value) { return true }
    }
    return false
  }
}

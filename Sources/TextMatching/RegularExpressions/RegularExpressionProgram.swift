/// A regular expression as a program, and the machine that follows all paths through it at once.
///
/// Each step is visited at most once for each scalar of the text, so the time is O(text · steps)
/// and the memory O(steps).
struct RegularExpressionProgram: Sendable {
  enum Step: Sendable {
    case scalar(UInt32)
    case foldedScalar(UInt32)
    /// A scalar of a folded text, and how many follow; ß matches two of these at once.
    case foldedPart(UInt32, rest: Int)
    case any
    case anyInLine
    case set(Int)
    case assertion(RegularExpressionAssertion)
    case jump(Int)
    case split(Int, Int)
    case match
  }

  let steps: [Step]
  let sets: [RegularExpressionSet]

  /// Whether the whole text matches.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    var now = StepList(capacity: steps.count)
    var then = StepList(capacity: steps.count)
    var waiting: [Int] = []
    var position = 0
    var before: UInt32?
    follow(from: 0, into: &now, &waiting, before: before, position, text)
    while position < text.count {
      guard now.count > 0 else { return false }
      let scalar = UTF8Reader.scalar(in: text, at: &position)
      before = scalar
      then.removeAll()
      for number in 0..<now.count {
        let step = now[number]
        let count = stepsTaken(at: step, by: scalar)
        guard count > 0 else { continue }
        follow(from: step + count, into: &then, &waiting, before: before, position, text)
      }
      swap(&now, &then)
    }
    for number in 0..<now.count {
      if case .match = steps[now[number]] { return true }
    }
    return false
  }

  /// How many steps a scalar advances; 0 if it does not match.
  private func stepsTaken(at step: Int, by scalar: UInt32) -> Int {
    let fits: Bool
    switch steps[step] {
    case .scalar(let wanted): fits = scalar == wanted
    case .foldedScalar(let wanted):
      fits = scalar == wanted || ScalarData.simpleFold(scalar) == wanted
    case .foldedPart(_, let rest): return partsTaken(at: step, rest: rest, by: scalar)
    case .any: fits = true
    case .anyInLine: fits = !ScalarProperty.isVerticalSpace(scalar)
    case .set(let number): fits = sets[number].contains(scalar)
    case .assertion, .jump, .split, .match: fits = false
    }
    return fits ? 1 : 0
  }

  private func partsTaken(at step: Int, rest: Int, by scalar: UInt32) -> Int {
    var count = 0
    var fits = true
    ScalarData.fold(scalar) { folded in
      if fits, count <= rest, case .foldedPart(folded, _) = steps[step + count] {
        count += 1
      } else {
        fits = false
      }
    }
    return fits ? count : 0
  }

  /// Adds the steps that consume a scalar and are reachable without one.
  private func follow(
    from first: Int, into list: inout StepList, _ waiting: inout [Int], before: UInt32?,
    _ position: Int, _ text: UnsafeRawBufferPointer
  ) {
    waiting.append(first)
    while let step = waiting.popLast() {
      guard list.visit(step) else { continue }
      switch steps[step] {
      case .jump(let next): waiting.append(next)
      case .split(let one, let other):
        waiting.append(other)
        waiting.append(one)
      case .assertion(let assertion):
        if holds(assertion, before: before, position, text) { waiting.append(step + 1) }
      case .scalar, .foldedScalar, .foldedPart, .any, .anyInLine, .set, .match: list.enter(step)
      }
    }
  }

  private func holds(
    _ assertion: RegularExpressionAssertion, before: UInt32?, _ position: Int,
    _ text: UnsafeRawBufferPointer
  ) -> Bool {
    var next = position
    let after = position < text.count ? UTF8Reader.scalar(in: text, at: &next) : nil
    switch assertion {
    case .textStart: return position == 0
    case .textEnd: return after == nil
    case .lineStart:
      guard let before else { return true }
      let isInPair = before == 0xD && after == 0xA
      return ScalarProperty.isVerticalSpace(before) && !isInPair && after != nil
    case .lineEnd:
      guard let after else { return true }
      return ScalarProperty.isVerticalSpace(after) && !(before == 0xD && after == 0xA)
    case .lastLineEnd:
      guard let after else { return true }
      guard ScalarProperty.isVerticalSpace(after), !(before == 0xD && after == 0xA) else {
        return false
      }
      if after == 0xD, next < text.count, text[next] == 0xA { next += 1 }
      return next == text.count
    case .wordBoundary: return isWord(before) != isWord(after)
    case .noWordBoundary: return isWord(before) == isWord(after)
    }
  }

  private func isWord(_ scalar: UInt32?) -> Bool {
    scalar.map { ScalarProperty.word.holds($0) } ?? false
  }
}

/// The steps reached, in order, with marks for the steps visited in this round.
private struct StepList {
  private var entered: [Int] = []
  private var visits: [UInt32]
  private var round: UInt32 = 1

  init(capacity: Int) { visits = Array(repeating: 0, count: capacity) }

  var count: Int { entered.count }
  subscript(number: Int) -> Int { entered[number] }

  /// Marks a step as visited; returns false if it already was in this round.
  mutating func visit(_ step: Int) -> Bool {
    guard visits[step] != round else { return false }
    visits[step] = round
    return true
  }

  mutating func enter(_ step: Int) { entered.append(step) }

  mutating func removeAll() {
    entered.removeAll(keepingCapacity: true)
    if round == .max {
      for step in visits.indices { visits[step] = 0 }
      round = 0
    }
    round += 1
  }
}

/// Makes a program of steps from a regular expression that was read.
struct RegularExpressionCompiler {
  /// How many steps a program may have, and how many parts may be looked at to make them.
  static let mostSteps = 20_000

  private let pattern: String
  private var steps: [RegularExpressionProgram.Step] = []
  private var effort = 0

  init(pattern: String) { self.pattern = pattern }

  mutating func compile(
    _ tree: RegularExpressionTree, sets: [RegularExpressionSet]
  ) throws(RegularExpressionError) -> RegularExpressionProgram {
    try emit(tree)
    steps.append(.match)
    return RegularExpressionProgram(steps: steps, sets: sets)
  }

  private mutating func emit(_ tree: RegularExpressionTree) throws(RegularExpressionError) {
    // Parts without steps, repeated, would take long without growing the program.
    effort += 1
    guard steps.count < Self.mostSteps, effort < 4 * Self.mostSteps else {
      throw RegularExpressionError(
        pattern: pattern, offset: 0,
        reason: "with its repetitions counted out it has more than \(Self.mostSteps) steps",
        isUnsupported: true)
    }
    switch tree {
    case .empty: break
    case .scalar(let scalar, ignoresCase: false): steps.append(.scalar(scalar))
    case .scalar(let scalar, ignoresCase: true): emitFolded([scalar])
    case .any(let endsOfLines): steps.append(endsOfLines ? .any : .anyInLine)
    case .set(let number): steps.append(.set(number))
    case .assertion(let assertion): steps.append(.assertion(assertion))
    case .sequence(let parts): try emitSequence(parts)
    case .alternatives(let parts):
      var jumps: [Int] = []
      for (position, part) in parts.enumerated() {
        guard position < parts.count - 1 else {
          try emit(part)
          break
        }
        let split = steps.count
        steps.append(.split(split + 1, 0))
        try emit(part)
        jumps.append(steps.count)
        steps.append(.jump(0))
        steps[split] = .split(split + 1, steps.count)
      }
      for jump in jumps { steps[jump] = .jump(steps.count) }
    case .repeated(let part, let least, let most):
      try emit(part, least: least, most: most)
    }
  }

  private mutating func emitSequence(
    _ parts: [RegularExpressionTree]
  ) throws(RegularExpressionError) {
    var letters: [UInt32] = []
    for part in parts {
      if case .scalar(let scalar, ignoresCase: true) = part {
        letters.append(scalar)
        continue
      }
      emitFolded(letters)
      letters = []
      try emit(part)
    }
    emitFolded(letters)
  }

  /// Letters whose case does not count: folded in full, so that "ss" is ß; one alone by its own.
  private mutating func emitFolded(_ letters: [UInt32]) {
    var folded: [UInt32] = []
    for letter in letters { ScalarData.fold(letter) { folded.append($0) } }
    guard folded.count != 1 else { return steps.append(.foldedScalar(folded[0])) }
    for (position, scalar) in folded.enumerated() {
      steps.append(.foldedPart(scalar, rest: folded.count - 1 - position))
    }
  }

  private mutating func emit(
    _ part: RegularExpressionTree, least: Int, most: Int?
  ) throws(RegularExpressionError) {
    for _ in 0..<least { try emit(part) }
    guard let most else {
      let split = steps.count
      steps.append(.split(split + 1, 0))
      try emit(part)
      steps.append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    // Each of the rest may be the last.
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(steps.count)
      steps.append(.split(0, 0))
      try emit(part)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}

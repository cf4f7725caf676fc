/// Compiles a parsed regular expression into a program of steps.
struct RegularExpressionCompiler {
  /// The maximum number of steps in a program; also limits the parts visited while compiling.
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
    // Repeated parts without steps would take long without making the program larger.
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

  /// Letters whose case is ignored, folded in full, so that "ss" matches ß; a single letter by its
  /// simple folding.
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
    // The match may end before each of the remaining repetitions.
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(steps.count)
      steps.append(.split(0, 0))
      try emit(part)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}

extension String {
  /// Returns whether a text precedes another, comparing digits as numbers: `DogWalk 9`, `DogWalk
  /// 10`.
  func precedesByNumber(_ other: String) -> Bool {
    let ours = numberedParts
    let theirs = other.numberedParts
    for (our, their) in zip(ours, theirs) where our != their {
      if let ourNumber = Int(our), let theirNumber = Int(their), ourNumber != theirNumber {
        return ourNumber < theirNumber
      }
      return our < their
    }
    return (ours.count, self) < (theirs.count, other)
  }

  /// The parts of the text, alternating between digits and other characters.
  private var numberedParts: [String] {
    var parts: [String] = []
    var lastWasDigit: Bool?
    for character in self {
      let isDigit = character.isASCII && character.isNumber
      if isDigit == lastWasDigit {
        parts[parts.count - 1].append(character)
      } else {
        parts.append(String(character))
      }
      lastWasDigit = isDigit
    }
    return parts
  }
}

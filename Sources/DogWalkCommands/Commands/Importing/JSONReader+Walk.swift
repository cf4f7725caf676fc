import DataFormats
import DogWalkModel
import SystemLibraries

/// The lists in a walk of a file; an invalid one is skipped, so that the next walk can be read.
extension JSONReader {
  /// Reads a list of texts; nil if it contains something else.
  mutating func texts() throws -> [String]? {
    try list { json in
      if try json.next() == .string { return try json.string() }
      try json.skip()
      return nil
    }
  }

  /// Reads a track as `export` writes it; nil if it is invalid.
  mutating func track() throws -> TrackPoints? {
    let segments = try list { json in try json.list { json in try json.point() } }
    return segments.map { TrackPoints(segments: $0) }
  }

  /// Reads a point: degrees north, degrees east, metres above sea level, seconds since 1970.
  private mutating func point() throws -> TrackPoints.Point? {
    let numbers: [Double?]? = try list { json in
      if try json.next() == .number { return .some(try json.number()) }
      if try json.null() { return .some(nil) }
      try json.skip()
      return nil
    }
    guard let numbers, (2...4).contains(numbers.count), let latitude = numbers[0],
      let longitude = numbers[1]
    else { return nil }
    return TrackPoints.Point(
      latitude: latitude, longitude: longitude, elevation: numbers.count > 2 ? numbers[2] : nil,
      time: numbers.count > 3 ? numbers[3].map { Date(timeIntervalSince1970: $0) } : nil)
  }

  /// Reads a list; nil if it is not a list, or if the closure returned nil for an element.
  ///
  /// The closure must read or skip the element in either case.
  private mutating func list<Element>(
    _ element: (inout JSONReader) throws -> Element?
  ) throws -> [Element]? {
    guard try next() == .array else {
      try skip()
      return nil
    }
    var elements: [Element] = []
    var isWhole = true
    try array { json in
      if let value = try element(&json) { elements.append(value) } else { isWhole = false }
    }
    return isWhole ? elements : nil
  }
}

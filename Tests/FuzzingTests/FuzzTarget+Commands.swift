import CommandLineKit
import DataFormats
import DogWalkModel
import Foundation

@testable import DogWalkCommands

extension FuzzTarget {
  /// Files of walks in JSON: what the reader accepts, Foundation accepts as well.
  static let json = FuzzTarget(name: "json") { bytes in
    try readWalks(bytes, .json)
    var json = JSONReader(bytes)
    do {
      try json.skip()
      try json.end()
    } catch is DataError {
      return nil
    }
    let data = Data(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...])
    return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) == nil
      ? "Foundation does not take this for JSON" : nil
  }

  /// Files of walks in CSV: fields that are written in quotes are read back unchanged.
  static let csv = FuzzTarget(name: "csv") { bytes in
    try readWalks(bytes, .csv)
    let records = records(of: bytes).map(\.fields)
    let text = records.map { record in
      record.map { "\"\(withDoubledQuotes($0))\"" }.joined(separator: ",") + "\r\n"
    }
    // A comma in the first line makes it the separator.
    guard let first = records.first, first.count > 1 else { return nil }
    let again = Self.records(of: Array(text.joined().utf8)).map(\.fields)
    return again == records ? nil : "\(records) is read as \(again)"
  }

  /// Byte by byte: a quote with an accent on it is another character.
  private static func withDoubledQuotes(_ field: String) -> String {
    let quote = UInt8(ascii: "\"")
    return String(
      decoding: field.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self)
  }

  /// Tracks in GPX.
  static let gpx = FuzzTarget(name: "gpx") { bytes in
    do throws(DataError) {
      for track in try GPXTrack.tracks(bytes, zone: .fixed(3600)) {
        guard track.seconds >= 0, track.metres ?? 1 > 0 else { return "\(track) goes backwards" }
      }
      return nil
    } catch {
      return nil
    }
  }

  /// The packed points of a track, as a store has them.
  static let tracks = FuzzTarget(name: "tracks") { bytes in
    guard let points = TrackPoints(packed: bytes) else { return nil }
    return TrackPoints(packed: points.packed) == points ? nil : "it is written otherwise than read"
  }

  /// Words of a command, one per line: commands, times, conditions.
  static let arguments = FuzzTarget(name: "arguments") { bytes in
    let words = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    do throws(ValidationError) {
      _ = try Invocation(words: words, commands: Command.dogwalk.specification)
    } catch {
      if error.message.isEmpty { return "an error without a message" }
    }
    let zone = LocalZone.fixed(3600)
    let clock = WallClock(now: Date(timeIntervalSince1970: 1_795_000_000), zone: zone)
    let names = KnownNames(dogs: { ["Fido"] }, walkers: { ["Ana"] })
    for isNew in [false, true] {
      var context = WalkWords.Context()
      context.isNew = isNew
      do {
        _ = try WalkWords(words, names: names, clock: clock, context: context)
      } catch let error as ValidationError {
        if error.message.isEmpty { return "an error without a message" }
      }
    }
    for word in words {
      _ = try? Moment(iso8601: word, zone: zone)
      _ = try? WalkCondition(word, at: clock.now.date)
      _ = try? TypedText.note(word)
      _ = try? TypedText.name(word, of: "a dog")
      _ = word.escapingControls
    }
    return nil
  }

  private static func readWalks(_ bytes: [UInt8], _ format: WalkFile.Format) throws {
    let recordReader = WalkRecordReader(
      zone: .fixed(0), now: Date(timeIntervalSince1970: 1_795_000_000))
    do {
      _ = try WalkFile(InputBytes(bytes), format: format, recordReader: recordReader) {}
    } catch is DataError {}
  }

  private static func records(of bytes: [UInt8]) -> [CSVReader.Record] {
    var csv = CSVReader(bytes)
    var records: [CSVReader.Record] = []
    while true {
      do throws(DataError) {
        guard let record = try csv.next() else { return records }
        records.append(record)
      } catch {
        continue
      }
    }
  }
}

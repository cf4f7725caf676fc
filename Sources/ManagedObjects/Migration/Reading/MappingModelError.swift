public import SystemLibraries

/// Why a mapping model cannot be read from a file.
///
///     do { _ = try MappingModel(contentsOf: url) } catch { print(error) }
///     // V2toV3.cdm: line 7: the tag <object> is malformed.
public struct MappingModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with a file.
  public enum Reason: Error, Sendable, Hashable {
    /// The file or folder cannot be read: the number of the C library, such as `ENOENT`.
    case unreadable(errno: Int32)
    /// The file has more bytes than any mapping model.
    case tooLarge
    /// What stands in the file is no mapping model.
    case notAMappingModel
    /// The archive is cut short or damaged: what is wrong, as a sentence without a full stop.
    case damagedArchive(String)
    /// The XML is cut short or damaged: the line, from 1 on, and what is wrong there.
    case damagedXML(line: Int, String)
    /// A value of an entity mapping's property, or where it has its objects from (`property` is
    /// nil), is said in a way that has no counterpart here: what the expression does, as `calls …`.
    case unsupportedExpression(entityMapping: String, property: String?, String)
    /// The condition on an entity mapping's source objects is no predicate.
    case unreadablePredicate(entityMapping: String, PredicateFormatError)
  }

  /// The file or folder.
  public let url: URL
  /// What is wrong with it.
  public let reason: Reason

  /// Creates an error.
  public init(url: URL, reason: Reason) {
    self.url = url
    self.reason = reason
  }

  /// One sentence, for a log; of a predicate, its text below.
  public var description: String { "\(url.path): \(reason.text)" }
}

extension MappingModelError.Reason {
  fileprivate var text: String {
    switch self {
    case .unreadable(let code): "it cannot be read: \(String(cString: strerror(code)))."
    case .tooLarge: "it is too large for a mapping model."
    case .notAMappingModel: "it is no mapping model."
    case .damagedArchive(let reason): "the archive is damaged: \(reason)."
    case .damagedXML(let line, let reason): "line \(line): \(reason)."
    case .unsupportedExpression(let mapping, let property?, let reason):
      "the value of \(property) in \(mapping) \(reason), which has no counterpart here."
    case .unsupportedExpression(let mapping, nil, let reason):
      "the source expression of \(mapping) \(reason), which has no counterpart here."
    case .unreadablePredicate(let mapping, let error):
      "the condition on the source objects of \(mapping) is no predicate:\n\(error)"
    }
  }
}

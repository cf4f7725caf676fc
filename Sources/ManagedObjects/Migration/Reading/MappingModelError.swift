public import SystemLibraries

/// Why a mapping model cannot be read from a file.
///
///     do { _ = try MappingModel(contentsOf: url) } catch { print(error) }
///     // V2toV3.cdm: line 7: the tag <object> is malformed.
public struct MappingModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem with a file.
  public enum Reason: Error, Sendable, Hashable {
    /// The file or folder cannot be read: the `errno` value, such as `ENOENT`.
    case unreadable(errno: Int32)
    /// The file is larger than any mapping model.
    case tooLarge
    /// The file's contents are not a mapping model.
    case notAMappingModel
    /// The archive is truncated or damaged: the problem, as a sentence without a full stop.
    case damagedArchive(String)
    /// The XML is truncated or damaged: the line, from 1 on, and the problem.
    case damagedXML(line: Int, String)
    /// An expression is not supported here: a description of what it does, such as `calls …`.
    ///
    /// It is the value of a property, or the fetch expression of the entity mapping (`property` is
    /// nil).
    case unsupportedExpression(entityMapping: String, property: String?, String)
    /// The condition on an entity mapping's source objects cannot be parsed.
    case unreadablePredicate(entityMapping: String, PredicateFormatError)
  }

  /// The file or folder.
  public let url: URL
  /// The problem with it.
  public let reason: Reason

  /// Creates an error.
  public init(url: URL, reason: Reason) {
    self.url = url
    self.reason = reason
  }

  /// One sentence, for a log; for a predicate, followed by its text.
  public var description: String { "\(url.path): \(reason.text)" }
}

extension MappingModelError.Reason {
  fileprivate var text: String {
    switch self {
    case .unreadable(let code): "it cannot be read: \(String(cString: strerror(code)))."
    case .tooLarge: "it is too large for a mapping model."
    case .notAMappingModel: "it is not a mapping model."
    case .damagedArchive(let reason): "the archive is damaged: \(reason)."
    case .damagedXML(let line, let reason): "line \(line): \(reason)."
    case .unsupportedExpression(let mapping, let property?, let reason):
      "the value of \(property) in \(mapping) \(reason), which has no counterpart here."
    case .unsupportedExpression(let mapping, nil, let reason):
      "the source expression of \(mapping) \(reason), which has no counterpart here."
    case .unreadablePredicate(let mapping, let error):
      "the condition on the source objects of \(mapping) is not a predicate:\n\(error)"
    }
  }
}

import DataFormats

extension CommandLine {
  /// The words that the program was called with, its name first, of which each byte is kept.
  package static var words: [String] {
    (0..<Int(argc)).compactMap { unsafeArgv[$0].map { String(systemBytes: $0) } }
  }
}

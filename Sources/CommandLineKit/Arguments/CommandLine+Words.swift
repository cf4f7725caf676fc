import DataFormats

extension CommandLine {
  /// The words of the command line, starting with the program's name; invalid UTF-8 is preserved.
  package static var words: [String] {
    (0..<Int(argc)).compactMap { unsafeArgv[$0].map { String(systemBytes: $0) } }
  }
}

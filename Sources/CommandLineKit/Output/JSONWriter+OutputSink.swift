package import DataFormats

extension JSONWriter {
  /// Writes the output so far to a sink and discards it, so that long output needs little memory.
  package mutating func drain(into sink: OutputSink) throws(OutputError) {
    try drain { bytes throws(OutputError) in try sink.write(contentsOf: bytes) }
  }
}

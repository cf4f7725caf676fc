package import DataFormats

extension JSONWriter {
  /// Hands over what has been written so far and forgets it, so that long output needs no memory.
  package mutating func drain(into sink: OutputSink) throws(OutputError) {
    try drain { bytes throws(OutputError) in try sink.write(contentsOf: bytes) }
  }
}

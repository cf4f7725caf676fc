import DataFormats
import Testing

@testable import CommandLineKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct `An output sink` {
  @Test func `keeps what is written in memory`() throws {
    let sink = OutputSink.memory()
    try sink.writeLine("Fido")
    try sink.write("🐶")
    try sink.write(contentsOf: [0x0A])
    try sink.flush()
    #expect(sink.text == "Fido\n🐶\n")
  }

  @Test func `writes to a descriptor in order`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let sink = OutputSink(descriptor: ends[1])
    try sink.write("first ")
    try sink.write("second")
    try sink.flush()
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "first second")
  }

  @Test func `throws closedPipe when the reader has gone`() throws {
    OutputSink.ignoreWriteSignals()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let sink = OutputSink(descriptor: ends[1])
    try sink.write("x")
    #expect(throws: OutputError.closedPipe) { try sink.flush() }
  }

  @Test(.enabled(if: access("/dev/full", W_OK) == 0))
  func `throws ENOSPC when the disk is full`() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let sink = OutputSink(descriptor: descriptor)
    try sink.write("x")
    #expect(throws: OutputError.failed(errno: ENOSPC)) { try sink.flush() }
  }

  @Test func `fails during a write once its buffer is full`() throws {
    let sink = OutputSink(descriptor: -1)
    #expect(throws: OutputError.failed(errno: EBADF)) {
      try sink.write(String(repeating: "x", count: 1 << 16))
    }
  }

  @Test func `ends quietly without a reader, and with exit code 74 on a full disk`() {
    #expect(OutputError.closedPipe.exitCode == .success)
    #expect(OutputError.closedPipe.reason == nil)
    #expect(OutputError.failed(errno: ENOSPC).exitCode == .inputOutput)
    #expect(OutputError.failed(errno: ENOSPC).reason == "No space left on device")
  }

  @Test func `lets a closure append to its pending bytes`() throws {
    let sink = OutputSink.memory()
    try sink.write("walk ")
    try sink.write { $0.append(decimal: 3) }
    try sink.writeLine(".")
    #expect(sink.text == "walk 3.\n")
  }

  @Test func `takes a JSON document piece by piece`() throws {
    let sink = OutputSink.memory()
    var json = JSONWriter()
    try json.lines(1...3) { json, number throws(OutputError) in
      json.value(number)
      try json.drain(into: sink)
    }
    try json.drain(into: sink)
    #expect(sink.text == "[\n  1,\n  2,\n  3\n]")
  }
}

/// Assembles a binary property list from its objects' bytes, without interpreting them.
///
/// References take one byte each and offsets two, so there may be no more than 256 objects.
func binary(_ objects: [[UInt8]], root: UInt64 = 0) -> [UInt8] {
  var bytes = Array("bplist00".utf8)
  var table: [UInt8] = []
  for object in objects {
    table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
    bytes += object
  }
  let tableOffset = UInt64(bytes.count)
  return bytes + table
    + trailer(
      offsetSize: 2, objectCount: UInt64(objects.count), root: root, tableOffset: tableOffset)
}

/// The last 32 bytes of a binary property list.
func trailer(
  offsetSize: UInt8 = 1, referenceSize: UInt8 = 1, objectCount: UInt64, root: UInt64 = 0,
  tableOffset: UInt64
) -> [UInt8] {
  [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
    + [objectCount, root, tableOffset].flatMap { number in
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

import SystemLibraries

/// A keyed archive, read in place.
struct BinaryArchive {
  let list: BinaryPropertyListView
  /// The root object.
  let top: Int
  private let objects: BinaryPropertyListView.Members

  init?(_ bytes: ArraySlice<UInt8>, top name: String) {
    guard let list = try? BinaryPropertyListView(bytes),
      let objects = list.value(of: "$objects", in: list.root).flatMap(list.members),
      let top = list.value(of: "$top", in: list.root).flatMap({ list.value(of: name, in: $0) })
    else { return nil }
    (self.list, self.objects) = (list, objects)
    self.top = list.uid(top).flatMap { $0 < objects.count ? objects[$0] : nil } ?? top
  }

  /// The object that a value refers to; the value itself if it is not a reference.
  func resolve(_ reference: Int) -> Int {
    guard let uid = list.uid(reference), uid < objects.count else { return reference }
    return objects[uid]
  }

  /// The value for a key of an object.
  func value(_ key: String, of object: Int) -> Int? {
    list.value(of: key, in: object).map(resolve)
  }

  /// The members of the array that an object has for a key.
  func members(_ key: String, of object: Int) -> BinaryPropertyListView.Members? {
    list.value(of: key, in: object).flatMap { list.members($0) }
  }

  /// The class name of an object; nil for a plain value.
  func className(of object: Int) -> String? {
    guard list.isDictionary(object),
      let name = value("$class", of: object).flatMap({ value("$classname", of: $0) })
    else { return nil }
    return list.text(name).map { String(decoding: $0, as: UTF8.self) }
  }
}

import Foundation

let folder = URL.temporaryDirectory.appending(path: "DogWalk-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let storeURL = folder.appending(path: "DogWalk.sqlite")

print("The first launch:")
let app = try DogWalkApp(storeURL: storeURL)
app.list()
for day in [20, 21, 22] {
  try app.addWalk(at: Date(timeIntervalSince1970: 1_795_132_800 + Double(day * 86_400)))
}
try app.deleteWalk(at: 1)

print("\nThe second launch:")
try DogWalkApp(storeURL: storeURL).list()

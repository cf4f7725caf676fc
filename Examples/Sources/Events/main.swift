import CoreDataNames

let folder = URL.temporaryDirectory.appending(path: "Events-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let storeURL = folder.appending(path: "Events.sqlite")

func minute(_ number: Double) -> Date {
  Date(timeIntervalSinceReferenceDate: 800_000_000 + number * 60)
}

func show(_ list: EventList) { for row in list.rows { print("  \(row)") } }

print("The first launch")
let list = EventList(EventStack(storeURL: storeURL))
list.load()
for number in [1.0, 2, 3] { list.insertNewObject(minute(number)) }
show(list)

print("Deleting one, touching another")
list.delete(at: IndexPath(row: 1, section: 0))
list.touch(at: IndexPath(row: 1, section: 0), minute(4))
show(list)

print("The second launch")
let again = EventList(EventStack(storeURL: storeURL))
again.load()
show(again)

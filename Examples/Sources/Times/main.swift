import Foundation

let folder = URL.temporaryDirectory.appending(path: "Times-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let storeURL = folder.appending(path: "Times.sqlite")
let termination = TerminationSignal()

/// Launches the app, runs a closure, and lets the system end it.
@MainActor
func launch(_ body: (TimesApp) -> Void) throws {
  let app = try TimesApp(storeURL: storeURL)
  body(app)
  app.list()
  raise(SIGTERM)
  termination.wait()
  try app.terminate()
}

print("The first launch:")
try launch { app in
  for seconds in [12.5, 11.75, 13] { app.add(seconds: seconds) }
  app.move(from: 1, to: 0)
}

print("\nThe second launch:")
try launch { _ in }

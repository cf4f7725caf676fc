// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that nothing else depends on what it downloads: `make bench-peers`. The
// variable GRDB names a folder with its sources; without it they come from their public repository.
let grdb: Package.Dependency =
  if let folder = Context.environment["GRDB"] {
    .package(name: "GRDB.swift", path: folder)
  } else {
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0")
  }

let package = Package(
  name: "peers",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "dogwalk", path: "../.."), grdb],
  targets: [
    .executableTarget(
      name: "peers",
      dependencies: [
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ManagedObjects", package: "dogwalk"),
      ],
      // Debian's SQLite is built without snapshots, which GRDB refers to but which are not used
      // here.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--unresolved-symbols=ignore-all"])],
      plugins: [.plugin(name: "CompileDataModel", package: "dogwalk")])
  ],
  swiftLanguageModes: [.v6]
)

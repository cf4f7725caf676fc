// swift-tools-version: 6.2

import PackageDescription

// One file that needs nothing where it is installed; debug builds and tests stay dynamic. Modules
// that were not compiled for it don't name the libraries behind FoundationEssentials, so they stand
// here.
let oneFile: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-executable", "-lFoundationEssentials", "-l_FoundationCollections",
      "-l_FoundationCShims", "-use-ld=lld", "-Xlinker", "--no-eh-frame-hdr", "-Xlinker",
      "\(Context.packageDirectory)/Scripts/no-unwinding.ld", "-Xlinker",
      "--symbol-ordering-file=\(Context.packageDirectory)/Scripts/startup.order", "-Xlinker",
      "--no-warn-symbol-ordering",
    ], .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "dogwalk",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "dogwalk", targets: ["dogwalk"]),
    .library(name: "ManagedObjects", targets: ["ManagedObjects"]),
    .library(name: "ModelCompiler", targets: ["ModelCompiler"]),
    .plugin(name: "CompileDataModel", targets: ["CompileDataModel"]),
  ],
  targets: [
    // The library, from the disk up.
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .target(name: "DataModel"),
    .target(name: "ManagedObjects", dependencies: ["CSQLite", "DataModel"]),

    // From Xcode's model to Swift, when the package is built.
    .target(name: "ModelCompiler", dependencies: ["DataModel"]),
    .executableTarget(name: "momc", dependencies: ["ModelCompiler"]),
    .plugin(name: "CompileDataModel", capability: .buildTool(), dependencies: ["momc"]),

    // The program.
    .target(name: "DogWalkModel", dependencies: ["ManagedObjects"], plugins: ["CompileDataModel"]),
    .target(name: "DogWalkCommands", dependencies: ["DogWalkModel"]),
    .executableTarget(
      name: "dogwalk",
      dependencies: ["DogWalkCommands"],
      linkerSettings: oneFile
    ),

    // The measurements: `make bench`, `make bench-cli`.
    .target(name: "CBaseline", dependencies: ["CSQLite"], path: "Benchmarks/CBaseline"),
    .executableTarget(
      name: "bench",
      dependencies: ["CBaseline", "DogWalkModel"],
      path: "Benchmarks/bench",
      linkerSettings: oneFile
    ),

    .testTarget(name: "DataModelTests", dependencies: ["DataModel"]),
    .testTarget(
      name: "ModelCompilerTests", dependencies: ["DataModel", "ModelCompiler", "DogWalkModel"],
      exclude: ["Golden"]),
    .testTarget(
      name: "ManagedObjectsTests",
      dependencies: ["ManagedObjects", "DogWalkModel", "ModelCompiler", "CSQLite"]),
    .testTarget(name: "DogWalkModelTests", dependencies: ["DogWalkModel"]),
    .testTarget(
      name: "DogWalkCommandsTests", dependencies: ["DogWalkCommands", "DogWalkModel", "dogwalk"]),
  ],
  swiftLanguageModes: [.v6]
)

// The same settings for every Swift target; the C and plugin targets take none.
for target in package.targets
where [.regular, .executable, .test].contains(target.type) && target.name != "CBaseline" {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("ImmutableWeakCaptures"),
      .treatAllWarnings(as: .error),
      .treatWarning("ExplicitSendable", as: .error),
    ]
}

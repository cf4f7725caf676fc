// swift-tools-version: 6.2

import PackageDescription

// Where the machine has what that needs (`Scripts/linking`), the Makefile has a release linked as
// one static file; any other build, and that of a package that depends on this one, is linked as
// usual. Modules that were not compiled for static linking don't name the libraries behind
// FoundationEssentials, so they stand here. Each function has a section of its own, so that the
// linker drops what nobody calls, keeps one of several that are the same, and can lay them out in
// the order in which everyday commands run them (`Scripts/record-startup`).
let isOneFile = Context.environment["DOGWALK_LINKING"] == "static"
let symbolOrder = Context.environment["DOGWALK_SYMBOL_ORDER"] ?? ""
let oneFile: [LinkerSetting] =
  isOneFile
  ? [
    .unsafeFlags(
      [
        "-static-executable", "-use-ld=lld", "-Xlinker", "--icf=safe", "-lFoundationEssentials",
        "-l_FoundationCollections", "-l_FoundationCShims",
      ]
        + (symbolOrder.isEmpty
          ? []
          : [
            "-Xlinker", "--symbol-ordering-file=\(symbolOrder)", "-Xlinker",
            "--no-warn-symbol-ordering",
          ]))
  ] : []

let package = Package(
  name: "dogwalk",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "dogwalk", targets: ["dogwalk"]),
    .executable(name: "storetool", targets: ["storetool"]),
    .library(name: "ManagedObjects", targets: ["ManagedObjects"]),
    .library(name: "CSVStores", targets: ["CSVStores"]),
    .library(name: "ModelCompiler", targets: ["ModelCompiler"]),
    .plugin(name: "CompileDataModel", targets: ["CompileDataModel"]),
  ],
  traits: [
    .trait(
      name: "PostgreSQL",
      description: "Stores on a PostgreSQL server, which need libpq (libpq-dev); off by default.")
  ],
  targets: [
    // Which C library and which Foundation the system has, and what else differs between systems.
    .target(name: "SystemLibraries"),

    // JSON, CSV, XML, property lists, DEFLATE: readers and writers that every part here uses.
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .target(name: "DataFormats", dependencies: ["CZlib", "SystemLibraries"]),

    // Comparing and matching texts as predicates do: case, marks, LIKE, MATCHES, natural order.
    .target(name: "TextMatching"),

    // The library, from the disk up.
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "CPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    .target(name: "DataModel", dependencies: ["DataFormats", "SystemLibraries"]),
    // What differs between two versions of a model: for storetool, so that no app carries it.
    .target(name: "ModelComparison", dependencies: ["DataModel", "SystemLibraries"]),
    .target(
      name: "ManagedObjects",
      dependencies: [
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        "CSQLite", "DataFormats", "DataModel", "SystemLibraries", "TextMatching",
      ]),

    // A kind of stores made with the library's public interface alone: folders of CSV files.
    .target(
      name: "CSVStores",
      dependencies: ["DataFormats", "DataModel", "ManagedObjects", "SystemLibraries"]),

    // From Xcode's model to Swift, when the package is built.
    .target(
      name: "ModelCompiler",
      dependencies: ["DataFormats", "DataModel", "SystemLibraries", "TextMatching"]),
    .executableTarget(name: "momc", dependencies: ["ModelCompiler", "SystemLibraries"]),
    .plugin(name: "CompileDataModel", capability: .buildTool(), dependencies: ["momc"]),

    // What every program here does alike: words, text, exit codes.
    .target(name: "CommandLineKit", dependencies: ["DataFormats", "SystemLibraries"]),

    // The program.
    .target(
      name: "DogWalkModel",
      dependencies: ["DataModel", "ManagedObjects", "SystemLibraries", "TextMatching"],
      plugins: ["CompileDataModel"]),
    .target(
      name: "DogWalkCommands",
      dependencies: ["CommandLineKit", "DataFormats", "DogWalkModel", "SystemLibraries"]),
    .executableTarget(
      name: "dogwalk",
      dependencies: ["DogWalkCommands", "SystemLibraries"],
      linkerSettings: oneFile
    ),

    // The tool for the library's users.
    .executableTarget(
      name: "storetool",
      dependencies: [
        "CommandLineKit", "CSVStores", "DataFormats", "ManagedObjects", "ModelComparison",
        "ModelCompiler", "SystemLibraries",
      ],
      linkerSettings: oneFile
    ),

    // The measurements: `make bench`, `make bench-cli`, `make bench-server`.
    .target(name: "CBaseline", dependencies: ["CSQLite"], path: "Benchmarks/CBaseline"),
    .target(
      name: "CServerBaseline",
      dependencies: [.target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"]))],
      path: "Benchmarks/CServerBaseline",
      cSettings: [.define("POSTGRESQL", .when(traits: ["PostgreSQL"]))]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CBaseline", "CSVStores", "DogWalkModel", "SystemLibraries",
        .target(name: "CServerBaseline", condition: .when(traits: ["PostgreSQL"])),
      ],
      path: "Benchmarks/bench",
      linkerSettings: oneFile
    ),

    // What all tests need: seeds, folders, other programs to hold ours against.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(
      name: "DataFormatsTests", dependencies: ["DataFormats", "TestSupport"]),
    .testTarget(
      name: "TextMatchingTests", dependencies: ["TextMatching", "TestSupport"]),
    .testTarget(
      name: "DataModelTests", dependencies: ["DataModel", "ModelComparison", "TestSupport"]),
    .testTarget(
      name: "ModelCompilerTests",
      dependencies: ["DataModel", "ModelCompiler", "DogWalkModel", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "ManagedObjectsTests",
      dependencies: [
        "CSVStores", "ManagedObjects", "DogWalkModel", "ModelCompiler", "CSQLite", "TestSupport",
      ]),
    // What the tests of every program need.
    .target(
      name: "CommandLineTesting", dependencies: ["CommandLineKit"],
      path: "Tests/CommandLineTesting"),
    .testTarget(
      name: "CommandLineKitTests",
      dependencies: ["CommandLineKit", "CommandLineTesting", "DataFormats", "TestSupport"]),
    .testTarget(name: "DogWalkModelTests", dependencies: ["DogWalkModel", "TestSupport"]),
    .testTarget(
      name: "DogWalkCommandsTests",
      // The recorded sessions are those of both programs.
      dependencies: [
        "CommandLineKit", "CommandLineTesting", "CSQLite", "DataFormats", "DogWalkCommands",
        "DogWalkModel", "dogwalk", "storetool", "TestSupport",
      ]),
    // The examples in doc comments and in README.md, compiled.
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["CSVStores", "DogWalkCommands", "ModelCompiler", "TestSupport"],
      exclude: ["Preambles"]),
    .testTarget(
      name: "StoreToolTests",
      dependencies: [
        "CommandLineKit", "CommandLineTesting", "DataFormats", "storetool", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// What reads bytes from outside, tried with what was found before; `make fuzz` makes a program of
// the same files instead, which looks for more.
let fuzzing: [Target.Dependency] = [
  "CommandLineKit", "DataFormats", "DataModel", "DogWalkCommands", "DogWalkModel",
  "ManagedObjects", "ModelCompiler",
]
let isFuzzing = Context.environment["FUZZING"] == "1"
if isFuzzing {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/FuzzingTests/CLibFuzzer"),
    .executableTarget(
      name: "fuzz", dependencies: fuzzing + ["CLibFuzzer"], path: "Tests/FuzzingTests",
      exclude: ["CLibFuzzer", "Corpus", "CorpusTests.swift", "Dictionaries"]),
  ]
} else {
  package.targets.append(
    .testTarget(
      name: "FuzzingTests", dependencies: fuzzing + ["TestSupport"],
      exclude: ["CLibFuzzer", "Corpus", "Dictionaries", "Program"]))
}

// Core Data's own names, for code that comes from it; on Apple's systems there is Core Data itself.
#if !canImport(Darwin)
  package.products.append(.library(name: "CoreDataNames", targets: ["CoreDataNames"]))
  package.targets += [
    .target(name: "CoreDataNames", dependencies: ["ManagedObjects", "ModelCompiler"]),
    // Code as tutorials have it, which must compile as it stands.
    .target(
      name: "CoreDataListings", dependencies: ["CoreDataNames"], path: "Tests/CoreDataListings",
      swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["CompileDataModel"]),
    .testTarget(
      name: "CoreDataNamesTests",
      dependencies: ["CoreDataListings", "CoreDataNames", "TestSupport"]),
  ]
#endif

// What runs once for each command is compiled for size in the program's release.
let runOnce = ["CommandLineKit", "DogWalkCommands", "dogwalk"]

// The same settings for every Swift target; the C and plugin targets take none.
for target in package.targets
where [.regular, .executable, .test].contains(target.type)
  && !["CBaseline", "CServerBaseline", "CoreDataListings"].contains(target.name)
{
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
    ] + (isOneFile ? [.unsafeFlags(["-Xfrontend", "-function-sections"])] : [])
    + (isOneFile && runOnce.contains(target.name) ? [.unsafeFlags(["-Osize"])] : [])
    + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-O"])] : [])
}

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "dogwalk", path: "..")],
  targets: [
    // Each has its data model in its folder, which the plugin compiles; OrgChart reads its model
    // while it runs.
    .example("DogWalk"),
    .example("Times"),
    .example("Clinic"),
    .example("Photos"),
    .executableTarget(
      name: "OrgChart",
      dependencies: [
        .product(name: "ManagedObjects", package: "dogwalk"),
        .product(name: "ModelCompiler", package: "dogwalk"),
      ],
      exclude: ["README.md"],
      resources: [.copy("OrgChart.xcdatamodeld")]),
    .example("Folders"),
    .example("Server"),
    .example("Portfolios"),
    // Core Data's code as it stands, in Swift 5 as Xcode's template has it.
    .executableTarget(
      name: "Events",
      dependencies: [.product(name: "CoreDataNames", package: "dogwalk")],
      exclude: ["README.md"],
      swiftSettings: [.swiftLanguageMode(.v5)],
      plugins: [.plugin(name: "CompileDataModel", package: "dogwalk")]),
  ],
  swiftLanguageModes: [.v6]
)

extension Target {
  static func example(_ name: String) -> Target {
    .executableTarget(
      name: name,
      dependencies: [.product(name: "ManagedObjects", package: "dogwalk")],
      exclude: ["README.md"],
      plugins: [.plugin(name: "CompileDataModel", package: "dogwalk")])
  }
}

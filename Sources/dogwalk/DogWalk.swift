import DogWalkCommands

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@main
enum DogWalk {
  static func main() {
    exit(CommandLineTool.process.run())
  }
}

import DogWalkCommands
import SystemLibraries

@main
enum DogWalk {
  static func main() {
    exit(CommandLineTool.process.run())
  }
}

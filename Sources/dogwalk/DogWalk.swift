import DogWalkCommands

@main
enum DogWalk {
  @MainActor
  static func main() {}
}

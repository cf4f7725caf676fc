import Foundation
import Testing

@testable import DogWalkCommands

/// Commands on a small disk that fills up: each succeeds as a whole, or reports that it failed.
@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs privileges"))
struct `A full disk` {
  @Test(arguments: [
    "import walks.csv", "edit 1 --note anew", "start Fido", "stop Fido", "undo", "redo",
    "add Fido 5m", "delete 1", "dogs rename Fido Shep", "dogs use Fido",
  ])
  func `stops a command and does no damage`(command: String) throws {
    let prompt = try Prompt()
    var text = "dog,start,minutes\n"
    for number in 0..<3_000 {
      text += "Rex,2026-09-\(number % 20 + 10) 0\(number % 10):\(number % 50 + 10),\(number + 1)\n"
    }
    try Data(text.utf8).write(to: prompt.file("walks.csv"))
    // All but 0 to 3 pages are used up; the output before and after is between lines.
    let script = """
      cd "$HOME"
      look() { dogwalk list --json && dogwalk dogs --json && dogwalk history --json; }
      for free in 0 4 8 12; do
        export DOGWALK_STORE="$HOME/disk/$free.sqlite"
        dogwalk add Fido 35m yesterday 18:00 -q
        dogwalk edit 1 --note one -q
        dogwalk edit 1 --note two -q
        case '\(command)' in
        stop*) dogwalk start Fido -q ;;
        redo) dogwalk undo -q ;;
        esac
        look > before
        fill "$free"
        dogwalk \(command) > said 2> complained
        code=$?
        look > after || echo "nothing can be read"
        rm -f disk/filling
        dogwalk doctor -q > /dev/null || echo "not whole"
        look > later
        cmp -s after later || echo "what was seen has changed"
        if [ $code = 0 ]; then
          cmp -s before after && echo "nothing was done"
        else
          cmp -s before after || echo "something was done"
          echo "$code $(cat complained)"
        fi
        dogwalk add Fido 5m today 7:00 -q || echo "no more adding"
        rm -f disk/*
      done
      """
    let answer = try SmallDisk.run(script, kilobytes: 900, in: prompt)
    #expect(answer.errors == "" && answer.code == 0)
    let lines = answer.output.split(separator: "\n")
    #expect(!lines.isEmpty, "it was never full")
    for line in lines {
      #expect(
        line.hasPrefix("74 dogwalk: cannot write the store ")
          && line.hasSuffix("there is no room left. Nothing was changed. Make room and try again."),
        "\(command): \(line)")
    }
  }
}

/// A disk of some kilobytes in memory, which only one script sees.
enum SmallDisk {
  /// Whether this process may mount one.
  static let isPossible: Bool = {
    guard let prompt = try? Prompt() else { return false }
    return (try? run("true", kilobytes: 100, in: prompt))?.code == 0
  }()

  /// Runs a script that finds the disk in `$HOME/disk`, and `fill N` to leave N kilobytes free.
  static func run(
    _ script: String, kilobytes: Int, in prompt: Prompt
  ) throws -> Prompt.Answer {
    let whole = """
      mkdir -p "$HOME/disk" && mount -t tmpfs -o size=\(kilobytes)k none "$HOME/disk" || exit 99
      fill() {
        dd if=/dev/zero of="$HOME/disk/filling" bs=4k 2>/dev/null
        size=$(stat -c %s "$HOME/disk/filling")
        truncate -s $((size - $1 * 1024)) "$HOME/disk/filling"
      }
      \(script)
      """
    return try ProgramProcess("/usr/bin/env", ["unshare", "-m", "sh", "-c", whole], in: prompt)
      .answer()
  }
}

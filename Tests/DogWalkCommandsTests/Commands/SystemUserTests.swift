import Foundation
import Testing

@testable import DogWalkCommands

@Suite struct `The system's user` {
  private let prompt: Prompt

  init() throws { prompt = try Prompt() }

  @Test func `is the first one in the list with the number`() throws {
    let list = prompt.file("passwd")
    try Data(
      """
      root:x:0:0:root:/root:/bin/bash

      +::::::
      half:x:1000
      :x:1000:1000:nobody's:/home:/bin/sh
      ana:x:1000:1000:Ana:/home/ana:/bin/sh
      ana2:x:1000:1000:Ana again:/home/ana:/bin/sh
      jürgen:x:1001:1000::/home/j:/bin/sh
      """.utf8
    ).write(to: list)
    #expect(SystemUser.name(of: 0, in: list.path) == "root")
    #expect(SystemUser.name(of: 1000, in: list.path) == "ana")
    #expect(SystemUser.name(of: 1001, in: list.path) == "jürgen")
    #expect(SystemUser.name(of: 100, in: list.path) == nil)
    #expect(SystemUser.name(of: 0, in: prompt.file("none").path) == nil)
    #expect(SystemUser.name(of: 0, in: prompt.home.path) == nil)
    #expect(SystemUser.author(of: 1001, in: list.path) == "jürgen")
    #expect(SystemUser.author(of: 4242, in: list.path) == "uid 4242")
  }

  @Test func `is the author of commands where no variable names one`() throws {
    func author(_ variables: [String: String]) -> String {
      for name in ["LOGNAME", "USER"] { prompt.variables[name] = variables[name] }
      #expect(prompt.run("add", "--dog", "Fido", "5m", "-q").code == 0)
      let last = prompt.run("history", "--limit", "1").output.split(
        separator: "\t", omittingEmptySubsequences: false
      ).last
      return String((last ?? "").dropLast())
    }
    #expect(author([:]) == SystemUser.author())
    #expect(author(["LOGNAME": ""]) == "")
    #expect(author(["USER": "bob"]) == "bob")
    #expect(author(["LOGNAME": "carla", "USER": "bob"]) == "carla")
  }
}

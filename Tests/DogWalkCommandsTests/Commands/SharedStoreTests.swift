import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// One store of two users of a machine, in a folder of their group, as in the manual.
@Suite(.enabled(if: Stranger.isPossible, "running as another user needs privileges"))
struct `A store that a group shares` {
  /// Two users of one group, whose files are private by default; `as_ana dogwalk …` is Ana's
  /// command.
  private static let people = """
    umask 077
    chmod 755 .
    mkdir -m 700 ana bob
    chown 60001:60001 ana
    chown 60002:60002 bob
    mkdir shared && chown 60001:60000 shared && chmod 2770 shared
    as() {
      user=$1; home=$2; shift 2
      LLVM_PROFILE_FILE=/dev/null HOME="$PWD/$home" LOGNAME=$home \\
        DOGWALK_STORE="$PWD/shared/walks.sqlite" \\
        setpriv --reuid="$user" --regid="$user" --groups=60000 "$@"
    }
    as_ana() { as 60001 ana "$@"; }
    as_bob() { as 60002 bob "$@"; }
    """

  private func run(_ script: String) throws -> Prompt.Answer {
    let prompt = try Prompt()
    return try ProgramProcess(script: Self.people + "\n" + script, in: prompt).answer()
  }

  @Test func `can be written by both without a chmod`() throws {
    let answer = try run(
      """
      as_ana dogwalk add Fido 35m yesterday 18:00 -q
      as_bob dogwalk add Fido 20m today 8:00 -q
      as_bob dogwalk edit 1 --note rain -q
      as_ana dogwalk delete 2 -q
      as_bob dogwalk undo 2>&1
      as_ana dogwalk undo -q
      as_bob dogwalk list | cut -f1,5
      stat -c '%a %u:%g %n' shared/*
      """)
    #expect(
      answer.output == """
        Undid: edit 1 --note rain -q. Walk 1 is as before: Fido, Fri 20 Nov 18:00, 35 min.
        Note: a later command by ana is still in effect: delete 2 -q.
        2\t
        1\t
        660 60001:60000 shared/walks.sqlite

        """, "\(answer)")
    #expect(answer.errors.isEmpty && answer.code == 0)
  }

  @Test func `accepts both users' walks at once, and recovers those of a killed one`() throws {
    let answer = try run(
      """
      as_ana dogwalk add Fido 1m yesterday 18:00 -q
      for n in 1 2 3 4 5 6 7 8; do
        as_ana dogwalk add Fido "${n}m" yesterday "$n:10" -q &
        as_bob dogwalk add Fido "${n}m" yesterday "$n:40" -q &
      done
      wait
      as_bob dogwalk list | wc -l | tr -d ' '
      if [ -x /usr/bin/python3 ]; then
        as_ana /usr/bin/python3 -c '
      import os, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute("UPDATE ZWALK SET ZNOTE = ? WHERE Z_PK = 1", ["in the log"])
      store.commit()
      os._exit(0)
      ' shared/walks.sqlite
      else
        as_ana dogwalk edit 1 --note "in the log" -q
      fi
      as_bob dogwalk add Fido 5m today 7:00 -q
      as_ana dogwalk list | grep -c "in the log"
      as_bob dogwalk sync shared/stick.sqlite -q
      as_ana dogwalk add Fido 6m today 6:00 -q
      as_ana dogwalk sync shared/stick.sqlite
      as_bob dogwalk doctor -q > /dev/null
      stat -c '%a %g %n' shared/*
      """)
    #expect(
      answer.output == """
        17
        1
        Synced with shared/stick.sqlite.
        There: walk 19 is new: Fido, Sat 21 Nov 06:00, 6 min.
        660 60000 shared/stick.sqlite
        660 60000 shared/walks.sqlite

        """, "\(answer)")
    #expect(answer.errors.isEmpty && answer.code == 0, "\(answer)")
  }

  /// SQLite gives a log the store's permissions after creating it: here the disk takes its time.
  @Test(arguments: ["wal", "shm"], ["600", "640"])
  func `can be written while another's log is not accessible to everyone yet`(
    _ suffix: String, _ mode: String
  ) throws {
    let answer = try run(
      """
      as_ana dogwalk add Fido 1m yesterday 18:00 -q
      as_ana touch shared/walks.sqlite-\(suffix)
      as_ana chmod \(mode) shared/walks.sqlite-\(suffix)
      (sleep 1.5; as_ana chmod 660 shared/walks.sqlite-\(suffix)) &
      as_bob dogwalk add Fido 2m yesterday 19:00
      wait
      as_ana dogwalk list | wc -l | tr -d ' '
      """)
    #expect(
      answer.output == """
        Added walk 2: Fido, yesterday 19:00, 2 min.
        2

        """, "\(answer)")
    #expect(answer.errors.isEmpty && answer.code == 0, "\(answer)")
  }

  @Test func `keeps its permissions when a file is written again, as other written files do`()
    throws
  {
    let answer = try run(
      """
      as_ana dogwalk add --dog Fido 1m yesterday 18:00 -q
      as_ana sh -c 'umask 007; dogwalk export -o shared/walks.csv -q; dogwalk report --svg shared/a.svg -q'
      as_bob dogwalk export -o shared/walks.csv -q
      as_bob dogwalk report --svg shared/a.svg -q
      stat -c '%a %g %n' shared/*
      """)
    #expect(
      answer.output == """
        660 60000 shared/a.svg
        660 60000 shared/walks.csv
        660 60000 shared/walks.sqlite

        """, "\(answer)")
  }

  @Test func `is upgraded though another user's upgrade was killed`() throws {
    let prompt = try Prompt()
    try `A store of version 2`.make(at: prompt.file("old.sqlite"))
    let answer = try ProgramProcess(
      script: Self.people + "\n" + """
        cp old.sqlite shared/walks.sqlite
        chown 60001:60000 shared/walks.sqlite; chmod 660 shared/walks.sqlite
        as_ana mkdir -m 700 shared/.walks.sqlite.migrating
        as_ana touch shared/.walks.sqlite.migrating/walks.sqlite
        as_bob dogwalk add Rex 5m today 7:00
        as_ana dogwalk list | wc -l | tr -d ' '
        """, in: prompt
    ).answer()
    #expect(answer.output.contains("Rex, today 07:00, 5 min"), "\(answer)")
    #expect(answer.code == 0, "\(answer)")
  }

  @Test func `is refused at once beside a journal of its owner alone`() throws {
    let answer = try run(
      """
      as_ana dogwalk add --dog Fido 1m yesterday 18:00 -q
      as_ana sh -c 'echo left > shared/walks.sqlite-journal'
      as_bob timeout 15 dogwalk add Fido 2m yesterday 19:00 2>&1 | sed 's/the store .*shared/the store shared/'
      """)
    #expect(
      answer.output == """
        dogwalk: cannot open the store shared/walks.sqlite: you may not read and write \
        walks.sqlite-journal, which belongs to it. Change its permissions, or name another file with \
        --store PATH.

        """, "\(answer)")
  }

  @Test func `reports the file that was left for its owner alone`() throws {
    let answer = try run(
      """
      as_ana dogwalk add Fido 1m yesterday 18:00 -q
      as_ana sh -c 'echo left > shared/walks.sqlite-shm'
      as_bob dogwalk add Fido 2m yesterday 19:00 2>&1 | sed 's/the store .*shared/the store shared/'
      """)
    #expect(
      answer.output == """
        dogwalk: cannot open the store shared/walks.sqlite: you may not read and write \
        walks.sqlite-shm, which belongs to it. Change its permissions, or name another file with \
        --store PATH.

        """, "\(answer)")
  }
}

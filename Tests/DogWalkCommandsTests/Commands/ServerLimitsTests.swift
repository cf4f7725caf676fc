import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Servers that are at their limits, are killed, or only replicate another one; each is started
/// for its test.
@Suite(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
struct `A server at its limits` {
  /// The output of a script beside a server of its own, whose store is `DOGWALK_STORE`.
  private func run(
    _ script: String, on settings: [String: String], in prompt: Prompt
  ) throws -> Prompt.Answer {
    let start = URL.projectFolder.appending(path: "Scripts/with-postgres").path
    let variables = settings.map { "\($0)=\($1)" }
    let beginning = #"export DOGWALK_STORE="${TEST_POSTGRES:?}&store=limits"; "#
    return try ProgramProcess(
      "/usr/bin/env", variables + ["sh", start, "sh", "-c", beginning + script], in: prompt
    )
    .answer()
  }

  @Test func `keeps the walks of 200 commands at once, with 100 connections`() throws {
    let prompt = try Prompt()
    let answer = try run(
      """
      psql "$TEST_POSTGRES" -Atc 'SHOW max_connections'
      for number in $(seq 200); do
        { dogwalk add --dog "Dog $((number % 5))" --new 20m -q || echo failed; } &
      done
      wait
      dogwalk list --json | grep -c '"id"'
      dogwalk dogs | wc -l
      """, on: ["SETTINGS": "max_connections = 100"], in: prompt)
    #expect(answer.output == "100\n200\n5\n", "\(answer)")
    #expect(answer.code == 0, "\(answer)")
  }

  @Test func `has everything that it confirmed, however often it is killed`() throws {
    let prompt = try Prompt()
    let answer = try run(
      """
      : >kept
      dogwalk add --dog Fido --note first 20m -q
      for writer in 1 2 3 4; do
        for step in $(seq 15); do
          dogwalk add --dog Fido --new --note "$writer.$step" 20m -q 2>/dev/null &&
            echo "$writer.$step" >>kept
        done &
      done
      for number in 1 2 3 4; do
        sleep 0.5
        sh "$TEST_POSTGRES_FOLDER/control" -m immediate restart >/dev/null
      done
      wait
      dogwalk list --json >list
      while read -r note; do grep -q '"note": "'"$note"'"' list || echo "lost $note"; done <kept
      [ "$(grep -c '"note": "first"' list)" = 1 ] && [ "$(wc -l <kept)" -gt 4 ] && echo whole
      """, on: ["SETTINGS": "fsync = on"], in: prompt)
    #expect(answer.output == "whole\n", "\(answer)")
  }

  // A server that has crashed reuses the number of the lost transaction, and reports it as
  // committed.
  @Test(.enabled(if: Python.isInstalled, "needs python3"))
  func `does not mistake another's commit for the one lost when it was killed`() throws {
    let prompt = try Prompt()
    let proxy = URL.projectFolder.appending(path: "Scripts/postgres-proxy").path
    let answer = try run(
      #"""
      dogwalk add --dog Fido --note first 20m -q
      python3 '\#(proxy)' --cut before --meanwhile '
        sh "$TEST_POSTGRES_FOLDER/control" -m immediate restart >/dev/null
        for number in 1 2 3; do dogwalk add Fido --note other 20m -q 2>/dev/null; done
      ' "$DOGWALK_STORE" dogwalk add Fido --note lost 20m 2>errors
      echo "$?"
      dogwalk list --json | grep -o '"note": "[a-z]*"' | sort | uniq -c | tr -s ' '
      cat errors >&2
      """#, on: ["SETTINGS": "wal_writer_delay = 10s"], in: prompt)
    #expect(
      answer.output == "75\n 1 \"note\": \"first\"\n 3 \"note\": \"other\"\n", "\(answer)")
    #expect(answer.errors.contains("broke before the change was saved"), "\(answer)")
  }

  // The first stores keep no marks of their transactions.
  @Test(.enabled(if: Python.isInstalled, "needs python3"))
  func `with a store without marks reports an unknown outcome`() throws {
    let prompt = try Prompt()
    let proxy = URL.projectFolder.appending(path: "Scripts/postgres-proxy").path
    let answer = try run(
      #"""
      dogwalk add --dog Fido 20m -q
      psql "$TEST_POSTGRES" -qc 'ALTER TABLE limits.z_metadata DROP COLUMN z_marks'
      dogwalk add Fido 20m -q 2>/dev/null; echo "$?"
      python3 '\#(proxy)' --cut after "$DOGWALK_STORE" dogwalk add Fido 20m; echo "$?"
      python3 '\#(proxy)' --cut before "$DOGWALK_STORE" dogwalk add Fido 20m; echo "$?"
      dogwalk list --json | grep -c '"id"'
      """#, on: [:], in: prompt)
    #expect(answer.output == "0\n74\n75\n3\n", "\(answer)")
    #expect(answer.errors.contains("it may have been saved or not"), "\(answer)")
  }

  @Test func `with a missing table or column reports damage`() throws {
    let prompt = try Prompt()
    let answer = try run(
      """
      dogwalk add --dog Fido 20m -q
      psql "$TEST_POSTGRES" -qc 'ALTER TABLE limits.zwalk DROP COLUMN znote'
      dogwalk list; echo "$?"
      dogwalk add Fido 20m; echo "$?"
      psql "$TEST_POSTGRES" -qc 'DROP TABLE limits.zwalk CASCADE'
      dogwalk list; echo "$?"
      dogwalk add Fido 20m; echo "$?"
      """, on: [:], in: prompt)
    #expect(answer.output == "65\n65\n65\n65\n", "\(answer)")
    #expect(answer.errors.contains("is damaged: column t0.znote does not exist"), "\(answer)")
    #expect(answer.errors.contains("dogwalk doctor"), "\(answer)")
  }

  @Test func `with warnings for each connection leaves standard error to the command`() throws {
    let prompt = try Prompt()
    let answer = try run(
      """
      psql "$TEST_POSTGRES" -q <<'SQL'
      CREATE ROLE ana SUPERUSER LOGIN;
      ALTER ROLE ana SET work_mem = '4MB';
      UPDATE pg_db_role_setting SET setconfig = '{nonsense=1}' WHERE setrole = 'ana'::regrole;
      SQL
      export DOGWALK_STORE="$(echo "$DOGWALK_STORE" | sed 's/user=[^&]*/user=ana/')"
      psql "${DOGWALK_STORE%&store=*}" -Atc 'SELECT 1' 2>&1 | grep -c nonsense
      dogwalk add --dog Fido 20m -q
      dogwalk list --json | grep -c '"id"'
      """, on: [:], in: prompt)
    #expect(answer.output == "1\n1\n", "\(answer)")
    #expect(answer.errors.isEmpty, "\(answer)")
  }

  @Test func `with passwords reports a missing one like a wrong one`() throws {
    let prompt = try Prompt()
    let answer = try run(
      """
      psql "$TEST_POSTGRES" -qc "CREATE ROLE ana LOGIN PASSWORD 'secret'"
      rules="$TEST_POSTGRES_FOLDER/data/pg_hba.conf"
      { echo 'local all ana scram-sha-256'; cat "$rules"; } >rules
      cat rules >"$rules"
      sh "$TEST_POSTGRES_FOLDER/control" restart >/dev/null
      export DOGWALK_STORE="$(echo "$DOGWALK_STORE" | sed 's/user=[^&]*/user=ana/')"
      unset PGPASSWORD
      for password in '' wrong secret; do
        PGPASSWORD=$password dogwalk list
        echo "$?"
      done
      """, on: [:], in: prompt)
    #expect(answer.output == "77\n77\n0\n", "\(answer)")
    let refusals = answer.errors.matches(
      of: /does not let the user ana in: .* Passwords belong in ~\/.pgpass\./)
    #expect(refusals.count == 2, "\(answer)")
  }

  @Test func `is read where it only replicates another one, and not written`() throws {
    let prompt = try Prompt()
    let answer = try run(
      """
      dogwalk add Fido 35m 'yesterday 18:00' -q
      touch "$TEST_POSTGRES_FOLDER/data/standby.signal"
      sh "$TEST_POSTGRES_FOLDER/control" restart >/dev/null
      dogwalk list --json | grep -c '"id"'
      dogwalk add Fido 20m
      echo "$?"
      sh "$TEST_POSTGRES_FOLDER/control" promote >/dev/null
      dogwalk add Fido 20m -q
      dogwalk list --json | grep -c '"id"'
      """, on: [:], in: prompt)
    #expect(answer.output == "1\n77\n2\n", "\(answer)")
    #expect(answer.errors.contains("this one is a read-only copy."), "\(answer)")
  }

  /// Whether a disk can be made for a server, which root may in most places.
  private static let canMount: Bool = {
    guard geteuid() == 0, let prompt = try? Prompt() else { return false }
    let script = "mkdir disk && mount -t tmpfs -o size=64k tmpfs disk && umount disk"
    return (try? ProgramProcess(script: script, in: prompt).answer())?.code == 0
  }()

  @Test(.enabled(if: canMount, "needs root, who may mount a disk"))
  func `reports that its disk is full, and keeps its content`() throws {
    let prompt = try Prompt()
    let walks = (1...20_000).map { number in
      let (day, minute) = (1 + number / 1_440, number % 1_440)
      let time = "\(minute / 60 / 10)\(minute / 60 % 10):\(minute % 60 / 10)\(minute % 60 % 10)"
      return "Fido,2020-01-\(day < 10 ? "0" : "")\(day)T\(time),1,note \(number * 7_919)"
    }
    try Data((["dog,start,minutes,note"] + walks).joined(separator: "\n").utf8)
      .write(to: prompt.file("walks.csv"))
    let answer = try run(
      """
      dogwalk add Fido 35m 'yesterday 18:00' -q || exit
      dd if=/dev/zero of="$TEST_POSTGRES_FOLDER/data/filler" bs=64k 2>/dev/null
      dogwalk import walks.csv
      echo "$?"
      dogwalk list --json | grep -c '"id"'
      rm "$TEST_POSTGRES_FOLDER/data/filler"
      dogwalk import walks.csv -q
      dogwalk list --json | grep -c '"id"'
      """, on: ["DISK": "64m"], in: prompt)
    #expect(answer.output == "74\n1\n20001\n", "\(answer)")
    #expect(answer.errors.contains("there is no room left. Nothing was changed."), "\(answer)")
  }
}

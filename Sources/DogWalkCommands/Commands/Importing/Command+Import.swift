import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension Option {
  /// `--format`: the format of the files.
  static let readFormat = Option(
    "format", value: .required("FORMAT"),
    help: "json, csv, gpx, timewarrior or watson, if it cannot be detected",
    completion: .choices(["json", "csv", "gpx", "timewarrior", "watson"]))
  /// `--column`: the names of columns.
  static let column = Option(
    "column", value: .required("FIELD=NAME"), isRepeating: true,
    help: "the column of a field: minutes=Dauer, or two: start=Date+Time")
  /// `--dates`: the order of days, months and years.
  static let dates = Option(
    "dates", value: .required("ORDER"), help: "how days are written: dmy, mdy or ymd",
    completion: .choices(["dmy", "mdy", "ymd"]))
  /// `--ignore-unknown`: ignores unknown columns and keys.
  static let ignoreUnknown = flag(
    "ignore-unknown", help: "ignore unknown columns and keys")
  /// `-d`, `--dog`: the dog of walks without one.
  static let dogOfFile = Option(
    "dog", short: "d", value: .required("NAME"),
    help: "whose walks they are, if the file does not say",
    completion: .dogs)
  /// `--dry-run`: only shows what would be imported.
  fileprivate static let dryImport = flag(
    "dry-run", help: "show what would happen to each walk, and import nothing")
  /// `--skip-bad`: skips walks that cannot be read.
  static let skipBad = flag(
    "skip-bad", help: "leave out walks that cannot be read, and list them")
}

extension Option {
  /// `--overwrite`: takes the file's values over later changes.
  static let overwrite = flag(
    "overwrite", help: "use the file's values even if the walks were changed here since")
}

extension Command {
  /// `dogwalk import`: imports walks from files.
  static let importing = Command(
    CommandSpecification(
      abstract: "Import walks from files: JSON, CSV, GPX and other programs' exports, all or none.",
      examples: [
        .init("dogwalk import walks.json", "what dogwalk export wrote, here or elsewhere"),
        .init("dogwalk import walks.csv", "a spreadsheet with the columns dog, start and minutes"),
        .init(
          "dogwalk import old.csv --column start=Date+Time --dates dmy --dry-run",
          "what would happen to each line of a spreadsheet"),
        .init("dogwalk import - --format timewarrior", "what timew export prints"),
      ],
      arguments: [
        Argument(
          "FILE", help: "a file with walks; - for standard input", isRepeating: true,
          completion: .files)
      ],
      options: [
        .readFormat, .dogOfFile, .column, .dates, .ignoreUnknown, .skipBad, .overwrite, .dryImport,
        .json,
      ],
      discussion: [
        "A walk that already exists, by its uuid, is not added again; if it differs, "
          + "the file's values are used. A walk without a uuid is identified by its dog, "
          + "start and minutes. Each line of a file is a walk of its own, so a copied line "
          + "needs an empty uuid. A dog is identified by its dog_uuid, whatever its name in "
          + "the file. dogwalk undo reverts the whole import.",
        "If an end and a length disagree, the one that differs from the stored walk is "
          + "used, with a note; if that does not decide it, the line is refused.",
        "If a file is imported into the store that it was exported from, walks that "
          + "were changed or deleted there since are left as they are, and listed; "
          + "--overwrite uses the file's values. To keep two stores the same, see dogwalk "
          + "sync.",
        "CSV needs a first line with the names of the columns: dog and start, and any "
          + "of uuid, end, minutes, metres, note, by, pee, poo, ongoing, tags, dog_uuid and "
          + "version; also duration (35m, 1:15, 1:15:00), distance (2.4km), kilometres and "
          + "miles. --column gives the names of columns that are called otherwise. Tags are "
          + "separated by spaces, commas or semicolons. If fields are not separated by "
          + "commas, numbers may have a decimal comma: 2,4; a number that could also have a "
          + "thousands separator is refused: 1.200 between semicolons, and between tabs in "
          + "a file with decimal commas; 1,200 between tabs.",
        "Times are written as 2026-11-20T18:00:00+01:00, 2026-11-20 18:00, 20.11.2026 "
          + "18:00 or 20.11.2026 6:00 pm; dates such as 20/11/2026 need --dates for the "
          + "order. An end may be a time alone, 18:45: it is on the day of the start, or on "
          + "the next day if it is earlier.",
        "The exports of timewarrior and Watson (watson log --json, or its file frames) "
          + "are JSON, too: the project is the dog, and so is each tag that is a dog's "
          + "name, or the only tag if there are no dogs yet; beside such a tag, a project "
          + "that is not a dog's name is a tag. With --dog, projects and tags "
          + "create no new dogs. Spaces in other tags become hyphens, +dog-park. A GPX file "
          + "needs --dog.",
      ])
  ) { run in
    let request = try ImportRequest(run)
    let progress = request.progress
    let zone = run.zone
    guard !run.values.contains(.dryImport) else {
      let preview = try run.log().preview(
        request.files, overwrites: run.values.contains(.overwrite),
        longestUsual: CommandRun.longestUsual, localOffset: { zone.moment(at: $0).utcOffset })
      progress.end()
      return try request.report(preview.merged, preview: ImportPreview(preview, run: run))
    }
    let merged = try run.logForAdding().merge(
      request.files, overwrites: run.values.contains(.overwrite),
      longestUsual: CommandRun.longestUsual, localOffset: { zone.moment(at: $0).utcOffset },
      progress: { progress.show("Importing… \($0) of \(request.count) walks") })
    progress.end()
    run.hasChanged = merged.new + merged.changed > 0
    try request.report(merged)
  }
}

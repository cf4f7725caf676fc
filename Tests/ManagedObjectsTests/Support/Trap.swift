import Testing

/// Whether a process that trapped reported why.
func said(_ sentence: String, _ result: ExitTest.Result?) -> Bool {
  guard let result else { return false }
  return String(decoding: result.standardErrorContent, as: UTF8.self).contains(sentence)
}

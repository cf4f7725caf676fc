#if PostgreSQL
  import SystemLibraries

  extension PersistentStoreError {
    /// Runs a body and rethrows a server's errors as store errors.
    static func mapping<Result>(
      of address: PostgreSQLAddress, _ body: () throws -> Result
    ) throws -> Result {
      do {
        return try body()
      } catch let error as PostgreSQLError {
        throw told(error, of: address)
      }
    }

    /// The store error for a server's error.
    private static func told(
      _ error: PostgreSQLError, of address: PostgreSQLAddress
    ) -> PersistentStoreError {
      let url = address.location
      func refused(_ refusal: ServerRefusal) -> PersistentStoreError {
        .refused(url, refusal, host: address.host, user: address.user)
      }
      switch error.commitOutcome {
      case .unknown: return .outcomeUnknown(url, reason: error.message)
      case .rolledBack: return .connectionLost(url, reason: error.message)
      case nil: break
      }
      if error.isBusy { return .busy(url) }
      if error.isRetryable {
        return .serverFailed(url, state: error.state, reason: error.message)
      }
      if error.isLost { return .unreachable(url, host: address.host, reason: error.message) }
      switch error.state {
      case "28P01", "28000": return refused(.login)
      case "3D000": return refused(.database)
      case "42501": return refused(.permission)
      case "25006": return .readOnly(url)
      case "53100": return .full(url)
      case "54000" where error.constraint != nil:
        return .unwritableValue(
          url, "a name or another unique text is longer than a server can index, some 2,700 bytes")
      default: return .serverFailed(url, state: error.state, reason: error.message)
      }
    }
  }
#endif

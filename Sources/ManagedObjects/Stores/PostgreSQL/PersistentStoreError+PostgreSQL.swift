#if PostgreSQL
  import SystemLibraries

  extension PersistentStoreError {
    /// Runs a body, and throws a server's errors as the store's.
    static func mapping<Result>(
      of address: PostgreSQLAddress, _ body: () throws -> Result
    ) throws -> Result {
      do {
        return try body()
      } catch let error as PostgreSQLError {
        throw PersistentStoreError(error, of: address)
      }
    }

    /// Puts a server's account into the store's words.
    init(_ error: PostgreSQLError, of address: PostgreSQLAddress) {
      let url = address.location
      func refused(_ refusal: ServerRefusal) -> PersistentStoreError {
        .refused(url, refusal, host: address.host, user: address.user)
      }
      if error.isUncertain {
        self = .outcomeUnknown(url, reason: error.message)
      } else if error.isBusy {
        self = .busy(url)
      } else if error.isLost {
        self = .unreachable(url, host: address.host, reason: error.message)
      } else {
        self =
          switch error.state {
          case "28P01", "28000": refused(.login)
          case "3D000": refused(.database)
          case "42501": refused(.permission)
          case "25006": .readOnly(url)
          case "53100": .full(url)
          default: .serverFailed(url, state: error.state, reason: error.message)
          }
      }
    }
  }
#endif

/// Waits until a store should be checked again, on behalf of a sequence that follows it.
final class RemoteChangeWait {
  let traces: ChangeDetection
  private let followers: RemoteChangeWaiters
  private let follower: Int
  /// Its number on the thread that watches; nil if there is nothing to watch.
  private let watch: Int?
  private var ticks: AsyncStream<Void>.Iterator

  init(for traces: ChangeDetection, _ followers: RemoteChangeWaiters) {
    self.traces = traces
    self.followers = followers
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    ticks = stream.makeAsyncIterator()
    follower = followers.add(continuation)
    watch = traces == .nowhere ? nil : StoreWatchThread.shared.add(traces, telling: continuation)
    // For changes between the last check and now.
    continuation.yield()
  }

  deinit {
    followers.remove(follower)
    if let watch { StoreWatchThread.shared.remove(watch) }
  }

  /// Waits until it is time to check; false if the waiting task was cancelled, which ends it.
  func next(isolation actor: isolated (any Actor)?) async -> Bool {
    await ticks.next(isolation: actor) != nil
  }
}

@available(*, unavailable) extension RemoteChangeWait: Sendable {}

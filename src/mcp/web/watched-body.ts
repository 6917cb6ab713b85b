export interface WatchOptions {
  /** Called once, when the answer is whole, or nobody wants the rest of it. */
  onEnd: () => void
  /** The client is gone. */
  signal: AbortSignal
  /** A reader that is further behind than this is given up: what it does not read is kept in memory. */
  maxUnreadBytes?: number
}

/** The same answer; whoever asked for it learns when it is over. What is no stream is over at once. */
export function watchBody(response: Response, options: WatchOptions): Response {
  const { status, headers, body } = response
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
    options.onEnd()
    return response
  }
  return new Response(watched(body, options), { status, headers })
}

function watched(body: ReadableStream<Uint8Array>, options: WatchOptions): ReadableStream<Uint8Array> {
  const { onEnd, signal, maxUnreadBytes = Number.POSITIVE_INFINITY } = options
  const reader = body.getReader()
  const giveUp = (): void => void reader.cancel().catch(ignore)

  async function pump(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        controller.enqueue(next.value)
        if (-(controller.desiredSize ?? 0) > maxUnreadBytes) throw new Error('the reader is too far behind')
      }
      controller.close()
    } catch (error) {
      giveUp()
      controller.error(error)
    } finally {
      signal.removeEventListener('abort', giveUp)
      onEnd()
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The SDK does not look at this for streams of sessions.
        if (signal.aborted) giveUp()
        else signal.addEventListener('abort', giveUp, { once: true })
        void pump(controller).catch(ignore)
      },
      cancel: giveUp,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
}

/** Whoever would have to hear of it is gone. */
function ignore(): void {}

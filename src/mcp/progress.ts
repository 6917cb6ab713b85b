import type { ServerContext } from '@modelcontextprotocol/server'

/** Many clients give up a call that they hear nothing of for a minute, some after 50 s. */
const EVERY_MS = 15_000

type Asked = Pick<ServerContext['mcpReq'], '_meta' | 'notify'>

/** Does the work of a request. Its client is notified every 15 s that it goes on, if it gave a progress token. */
export async function withProgress<T>({ _meta, notify }: Asked, work: () => Promise<T>): Promise<T> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return work()
  let seconds = 0
  const timer = setInterval(() => {
    seconds += EVERY_MS / 1000
    const params = { progressToken, progress: seconds, message: `still working, ${seconds} s so far` }
    // A client that is gone is noticed elsewhere.
    notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

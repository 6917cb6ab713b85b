/** Waits until a request of the client is let in; undefined: it is now. */
export type Admit = (client: string) => Promise<void> | undefined

/**
 * Lets in one request of each client in a turn of the event loop, those of one client in the order they came. One thread speaks to all
 * clients: a request that comes beside a hundred of another client waits for one or two of them.
 */
export function createAdmission(onNextTurn: (work: () => void) => void = setImmediate): Admit {
  /** Of clients that had one let in a turn ago or less. */
  const waiting = new Map<string, (() => void)[]>()

  function letIn(client: string, requests: (() => void)[]): void {
    const next = requests.shift()
    if (!next) {
      waiting.delete(client)
      return
    }
    next()
    onNextTurn(() => letIn(client, requests))
  }

  return (client) => {
    const requests = waiting.get(client)
    if (requests) return new Promise((resolve) => requests.push(resolve))
    const first: (() => void)[] = []
    waiting.set(client, first)
    onNextTurn(() => letIn(client, first))
    return undefined
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A process with clients in it, so that what they do does not slow down what is measured elsewhere. */
export function startClients(name: 'ordinary' | 'abuser') {
  const child: ChildProcess = fork(join(import.meta.dirname, `${name}.ts`))
  const ended = new AbortController()
  child.once('exit', () => ended.abort(new Error(`the process of the ${name} clients ended`)))
  return {
    tell: (order: object): void => void child.send(order),
    async ask<T>(order: object | string): Promise<T> {
      const answered = once(child, 'message', { signal: ended.signal })
      child.send(order)
      const [answer] = await answered
      return answer as T
    },
    end: (): void => child.disconnect(),
  }
}

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConnection } from './app.ts'

interface Held {
  /** What is being answered, and the requests that came after it without waiting. */
  pending: number
  waiting: (() => void)[]
}

/** No client sends so many requests without waiting for an answer, unless to fill our memory. */
const MAX_PENDING = 32

/** The connections of a server: which there are, which of them wait for something, and how they end. */
export class Connections {
  readonly #held = new Map<Socket, Held>()
  readonly #names = new WeakMap<Socket, HttpConnection>()
  readonly #onClosed: (connection: HttpConnection) => void
  #isDraining = false
  #onEmpty: (() => void) | undefined

  constructor(onClosed: (connection: HttpConnection) => void) {
    this.#onClosed = onClosed
  }

  get size(): number {
    return this.#held.size
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  add(socket: Socket): void {
    const held: Held = { pending: 0, waiting: [] }
    this.#held.set(socket, held)
    socket.once('close', () => {
      this.#held.delete(socket)
      held.waiting = []
      this.#onClosed(this.nameOf(socket))
      if (this.#held.size === 0) this.#onEmpty?.()
    })
  }

  /** The object by which others know a connection: the same as long as it lives, and of no other. */
  nameOf(socket: Socket): HttpConnection {
    const name = this.#names.get(socket) ?? Object.freeze({ address: socket.remoteAddress ?? '' })
    this.#names.set(socket, name)
    return name
  }

  /**
   * Begins a request when those before it on its connection are answered. Node hands them out as they come, but tells the
   * response of a later one nothing of a connection that closes: it would be waited for without end.
   */
  begin(socket: Socket, outgoing: ServerResponse, handle: () => void): void {
    const held = this.#held.get(socket)
    if (held === undefined || held.pending === MAX_PENDING) {
      socket.destroy()
      return
    }
    held.pending += 1
    outgoing.once('close', () => this.#end(socket, held))
    if (held.pending === 1) handle()
    else held.waiting.push(handle)
  }

  #end(socket: Socket, held: Held): void {
    held.pending -= 1
    if (this.#isDraining && held.pending === 0) socket.destroySoon()
    held.waiting.shift()?.()
  }

  /** Ends what is idle now, the others when they are answered, and after `timeoutMs` whatever is left. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve
    })
    for (const [socket, { pending }] of this.#held) if (pending === 0) socket.destroySoon()
    if (this.#held.size === 0) return
    const timer = setTimeout(() => this.#destroyAll(), timeoutMs)
    await empty
    clearTimeout(timer)
  }

  #destroyAll(): void {
    for (const socket of this.#held.keys()) socket.destroy()
  }
}

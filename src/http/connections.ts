import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConnection } from './app.ts'

interface Held {
  /** What is being answered, and the requests that came after it without waiting. */
  pending: number
  waiting: (() => void)[]
}

/** Further requests of a connection are not read until one has its answer: nobody can fill our memory by asking. */
const MAX_PENDING = 32

/** The connections of a server: which there are, which of them wait for something, and how they end. */
export class Connections {
  readonly #held = new Map<Socket, Held>()
  readonly #names = new WeakMap<Socket, HttpConnection>()
  readonly #onClosed: (connection: HttpConnection) => void
  readonly #stallTimeoutMs: number
  #isDraining = false
  #onEmpty: (() => void) | undefined

  /** `stallTimeoutMs`: how long a connection that is not read from may go without an answer. */
  constructor(onClosed: (connection: HttpConnection) => void, stallTimeoutMs: number) {
    this.#onClosed = onClosed
    this.#stallTimeoutMs = stallTimeoutMs
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
    // Node reads on as soon as a body is read to its end.
    socket.on('resume', () => this.#limitReading(socket, held))
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
    if (held === undefined) {
      socket.destroy()
      return
    }
    held.pending += 1
    // What came in the same piece of 64 KB is here already, and waits too.
    this.#limitReading(socket, held)
    outgoing.once('close', () => this.#end(socket, held))
    if (held.pending === 1) handle()
    else held.waiting.push(handle)
  }

  #end(socket: Socket, held: Held): void {
    held.pending -= 1
    if (held.pending === MAX_PENDING - 1 && !socket.destroyed) socket.setTimeout(0).resume()
    if (this.#isDraining && held.pending === 0) socket.destroySoon()
    held.waiting.shift()?.()
  }

  /**
   * The requests before the last one are whole: those that are to be answered first do not wait for what is not read. Whether
   * the client is still there cannot be seen meanwhile, so this does not last: Node ends a connection that has its timeout.
   */
  #limitReading(socket: Socket, { pending }: Held): void {
    if (pending >= MAX_PENDING && !socket.isPaused()) socket.setTimeout(this.#stallTimeoutMs).pause()
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

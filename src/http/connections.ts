import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConnection } from './connection.ts'
import { plainAddress } from './networks.ts'

interface Held {
  /** The request being answered, and the pipelined ones behind it. */
  pending: number
  waiting: (() => void)[]
}

/** Beyond this, further requests of a connection are not read until one is answered: pipelining cannot exhaust memory. */
const MAX_PENDING = 32

/** The open connections of a server: which are busy, and how they are closed. */
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
    const known = this.#names.get(socket)
    if (known) return known
    const { remoteAddress = '' } = socket
    const name = Object.freeze({ address: plainAddress(remoteAddress) ?? remoteAddress })
    this.#names.set(socket, name)
    return name
  }

  /**
   * Starts a request once the previous ones on its connection are answered. Node delivers pipelined requests as they arrive, but
   * never signals a closed connection to a later response: it would wait forever.
   */
  begin(socket: Socket, outgoing: ServerResponse, handle: () => void): void {
    const held = this.#held.get(socket)
    if (held === undefined) {
      socket.destroy()
      return
    }
    held.pending += 1
    // Requests in the same 64 KB chunk have already arrived and wait too.
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
   * Every request before the last is complete: they do not wait for unread data. A disconnected
   * client goes unnoticed meanwhile, but not for long: Node closes a connection after its timeout.
   */
  #limitReading(socket: Socket, { pending }: Held): void {
    if (pending >= MAX_PENDING && !socket.isPaused()) socket.setTimeout(this.#stallTimeoutMs).pause()
  }

  /** Closes idle connections now, the others once they are answered, and the rest after `timeoutMs`. */
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

import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'

/** A queue that moves to a file when it exceeds `maxBytes` in memory. Filled first, drained once. */
export function createSpool<T>(file: string, maxBytes: number) {
  let waiting: T[] = []
  let waitingBytes = 0
  let handle: number | undefined
  const chunks: { offset: number; length: number }[] = []
  let end = 0

  function spill(): void {
    handle ??= openUnnamed(file)
    const bytes = serialize(waiting)
    writeAll(handle, bytes, end)
    chunks.push({ offset: end, length: bytes.length })
    end += bytes.length
    waiting = []
    waitingBytes = 0
  }
  function* spilled(): Generator<T> {
    for (const { offset, length } of chunks) {
      const bytes = Buffer.allocUnsafe(length)
      readAll(handle as number, bytes, offset)
      yield* handOver(deserialize(bytes) as T[])
    }
  }

  return {
    push(item: T, sizeBytes: number): void {
      waiting.push(item)
      waitingBytes += sizeBytes
      if (waitingBytes > maxBytes) spill()
    },
    *drain(): Generator<T> {
      yield* spilled()
      yield* handOver(waiting)
    },
    close(): void {
      waiting = []
      if (handle === undefined) return
      closeSync(handle)
      handle = undefined
    },
  }
}

/** A file that no other process can open, and that disappears with the process, however it ends. */
function openUnnamed(file: string): number {
  const handle = openSync(file, 'wx+', 0o600)
  rmSync(file)
  return handle
}

/** Items one by one, each released when it is returned. */
function* handOver<T>(items: T[]): Generator<T> {
  items.reverse()
  while (items.length > 0) yield items.pop() as T
}

/** A call may write or read less than requested. */
function writeAll(handle: number, bytes: Buffer, offset: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, bytes.length - at, offset + at)
}

function readAll(handle: number, bytes: Buffer, offset: number): void {
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(handle, bytes, at, bytes.length - at, offset + at)
    if (count === 0) throw new Error('the spool ended too early')
    at += count
  }
}

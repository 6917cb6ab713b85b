/**
 * Stands between a program and a server on stdin and stdout: `node stdio.ts <log> <command> [args]`. Each line is logged before
 * it is passed on, so whoever has seen an effect of a message finds the message in the log.
 */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { TapEntry } from './traffic.ts'

const [log = '', command = '', ...args] = process.argv.slice(2)
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
pass(process.stdin, server.stdin, 'program')
pass(server.stdout, process.stdout, 'server')
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
server.stdin.on('error', () => {}) // it ended first: its exit code says the rest
server.on('close', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))

function pass(from: Readable, to: Writable, side: TapEntry['from']): void {
  let rest = Buffer.alloc(0)
  from.on('data', (piece: Buffer) => {
    const whole = Buffer.concat([rest, piece])
    const end = whole.lastIndexOf(0x0a) + 1
    rest = whole.subarray(end)
    note(whole.subarray(0, end).toString('utf8'), side)
    to.write(piece)
  })
  from.on('end', () => side === 'program' && to.end())
}

function note(text: string, from: TapEntry['from']): void {
  const entries = text.split('\n').filter((line) => line.trim() !== '')
  const lines = entries.map((line) =>
    JSON.stringify({ channel: `${process.pid}`, from, message: parse(line) }),
  )
  if (lines.length > 0) appendFileSync(log, `${lines.join('\n')}\n`)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return { unreadable: line.length }
  }
}

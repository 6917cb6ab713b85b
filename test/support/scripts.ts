import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export const ROOT = dirname(dirname(import.meta.dirname))
export const NODE = process.execPath

/** A throw-away folder with these files in it. */
export function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-scripts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) write(join(folder, path), text)
  return folder
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

export function read(...path: string[]): string {
  return existsSync(join(...path)) ? readFileSync(join(...path), 'utf8') : ''
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export function ended(child: ChildProcess): Promise<Ended> {
  const result: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    result.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    result.stderr += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...result, code })))
}

/** This Node under another one's version: decisions are made on the version alone. */
export function pretend(version: string): string[] {
  const versions = `{value:{...process.versions,node:'${version}'}}`
  return ['--import', `data:text/javascript,Object.defineProperty(process,'versions',${versions})`]
}

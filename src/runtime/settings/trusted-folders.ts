import { dirname, join } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { realOrSame } from '../../util/files/paths.ts'
import { readSmallFile } from '../../util/files/small-file.ts'
import { changeOwnFile } from './own-file.ts'
import type { SettingName } from './settings.ts'

/** A setting of a folder that only an operator may decide, as the folder has it. */
export interface AskedSetting {
  name: SettingName
  value: unknown
}

/** Whether the settings of a folder were accepted. `changed`: others were. */
export type Trust = 'none' | 'changed' | 'trusted'

/** The text of a list of trusted folders, and its path. */
export interface TrustedList {
  path: string
  text: string
}

/** The list of trusted folders: in the user's own folder, where no project can write. */
export function trustedPath(configFolder: string): string {
  return join(configFolder, 'trusted.json')
}

/** Empty if there is no list. */
export function readTrustedText(path: string): string {
  try {
    const text = readSmallFile(path)
    if (text === '') throw new Error('is empty')
    return text ?? ''
  } catch (error) {
    throw damaged(path, (error as Error).message, error)
  }
}

/** Whether the folder that has this `.remindb` is trusted with these settings, by a list of trusted folders. */
export function trustIn(list: TrustedList, stateFolder: string, asked: readonly AskedSetting[]): Trust {
  const accepted = parseTrusted(list).get(realOrSame(dirname(stateFolder)))
  if (accepted === undefined) return 'none'
  return accepted === digestOf(asked) ? 'trusted' : 'changed'
}

/** From now on these settings of the folder apply. */
export async function trustFolder(
  path: string,
  folder: string,
  asked: readonly AskedSetting[],
): Promise<void> {
  await changeOwnFile(path, () => {
    const folders = readTrusted(path)
    return trustedText(folders.set(realOrSame(folder), digestOf(asked)))
  })
}

/** False: it was not trusted. */
export async function untrustFolder(path: string, folder: string): Promise<boolean> {
  let wasTrusted = false
  await changeOwnFile(path, () => {
    const folders = readTrusted(path)
    wasTrusted = folders.delete(realOrSame(folder))
    return wasTrusted ? trustedText(folders) : undefined
  })
  return wasTrusted
}

function trustedText(folders: ReadonlyMap<string, string>): string {
  const entries = [...folders].map(([folder, settings]) => [folder, { settings }])
  return `${JSON.stringify({ folders: Object.fromEntries(entries) }, null, 2)}\n`
}

function readTrusted(path: string): Map<string, string> {
  return parseTrusted({ path, text: readTrustedText(path) })
}

/** The digest of the accepted settings, by the real path of the folder. */
function parseTrusted({ path, text }: TrustedList): Map<string, string> {
  if (text === '') return new Map()
  const parsed = parseJson(path, text)
  const folders = foldersOf(parsed)
  if (folders === undefined) throw damaged(path, 'is not a list of trusted folders')
  return folders
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(path, 'is not JSON', error)
  }
}

/** Undefined: not a list of trusted folders. */
function foldersOf(parsed: unknown): Map<string, string> | undefined {
  if (!isObject(parsed) || !isObject(parsed.folders) || Object.keys(parsed).length > 1) return undefined
  const entries = Object.entries(parsed.folders).map(
    ([folder, entry]) => [folder, isObject(entry) ? entry.settings : undefined] as const,
  )
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? new Map(entries)
    : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function damaged(path: string, problem: string, cause?: unknown): MemoryError {
  return new MemoryError('INVALID_INPUT', `${path} ${problem}; remove it and trust your folders again`, {
    cause,
  })
}

/** SHA-256 of the settings in canonical form, independent of their order in the file. */
function digestOf(asked: readonly AskedSetting[]): string {
  const settings = Object.fromEntries(asked.map(({ name, value }) => [name, value]))
  // Loading it takes 4 ms, and hardly any start needs it.
  const { hash } = process.getBuiltinModule('node:crypto')
  return hash('sha256', JSON.stringify(inOrder(settings)), 'hex')
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, inOrder((value as Record<string, unknown>)[name])]))
}

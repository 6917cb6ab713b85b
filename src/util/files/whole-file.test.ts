import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeWholeFile } from './whole-file.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-whole-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('writeWholeFile joins the pieces, readable by the owner only', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.txt')
  const result = await writeWholeFile(file, async (write) => {
    await write('one, ')
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.a\.txt\..*\.part$/)])
    await write('zwölf')
    return 2
  })
  expect(result).toBe(2)
  expect(readFileSync(file, 'utf8')).toBe('one, zwölf')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

test('writeWholeFile leaves the old file if filling fails or is not confirmed', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.txt')
  writeFileSync(file, 'before')
  const fail = (): never => {
    throw new Error('no')
  }
  await expect(writeWholeFile(file, fail)).rejects.toThrow('no')
  await expect(writeWholeFile(file, (write) => write('after'), fail)).rejects.toThrow('no')
  expect(readFileSync(file, 'utf8')).toBe('before')
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

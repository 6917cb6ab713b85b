import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCloudService } from './cloud-folder.ts'

describe('a folder that a service syncs', () => {
  test.each([
    ['/Users/me/Library/Mobile Documents/com~apple~CloudDocs/notes/.remindb/memory.db', 'iCloud Drive'],
    ['/Users/me/Library/Mobile Documents/iCloud~md~obsidian/Documents/v/.remindb/memory.db', 'iCloud Drive'],
    ['/home/me/Dropbox/notes/.remindb/memory.db', 'Dropbox'],
    ['/Users/me/Dropbox (Acme)/notes/.remindb/memory.db', 'Dropbox'],
    ['/Users/me/Library/CloudStorage/Dropbox-Acme/memory.db', 'Dropbox'],
    ['C:\\Users\\me\\OneDrive - Acme\\notes\\.remindb\\memory.db', 'OneDrive'],
    ['/Users/me/Library/CloudStorage/OneDrive-Personal/memory.db', 'OneDrive'],
    ['/Users/me/Library/CloudStorage/GoogleDrive-me@example.com/My Drive/memory.db', 'Google Drive'],
    ['G:\\My Drive\\notes\\.remindb\\memory.db', 'Google Drive'],
    ['/home/me/notes/.remindb/memory.db', undefined],
    ['/home/me/dropbox-notes/.remindb/memory.db', undefined],
    ['/home/me/notes about OneDrive.md/.remindb/memory.db', undefined],
  ])('%s: %s', (path, service) => {
    expect(findCloudService(path)).toBe(service)
  })

  test('is recognised anywhere by the files of the service in it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'remindb-cloud-'))
    mkdirSync(join(folder, 'a', 'b'), { recursive: true })
    const db = join(folder, 'a', 'b', 'memory.db')
    expect(findCloudService(db)).toBeUndefined()
    writeFileSync(join(folder, '.dropbox'), '')
    expect(findCloudService(db)).toBe('Dropbox')
  })
})

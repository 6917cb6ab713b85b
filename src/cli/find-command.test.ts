import { expect, test } from 'vitest'
import type { CommandEntry, CommandGroup } from './commands.ts'
import { findCommand } from './find-command.ts'

const entry = (summary: string): CommandEntry => ({ summary, load: () => Promise.reject(new Error(summary)) })
const KNOWN: Record<string, CommandEntry | CommandGroup> = {
  tree: entry('tree'),
  keys: { summary: 'keys', commands: { create: entry('keys create'), list: entry('keys list') } },
  backup: { ...entry('backup'), commands: { restore: entry('backup restore') } },
}
const find = (...[name = '', ...rest]: string[]) => findCommand({ name, rest }, KNOWN)

test.each<[string, string, string[]]>([
  ['tree create', 'tree', ['create']],
  ['keys create a --b', 'keys create', ['a', '--b']],
  ['keys --db x list', 'keys list', ['--db', 'x']],
  ['backup', 'backup', []],
  ['backup file --json', 'backup', ['file', '--json']],
  ['backup --json file', 'backup', ['--json', 'file']],
  ['backup restore file', 'backup restore', ['file']],
])('%j calls %s with %j', (line, name, rest) => {
  expect(find(...line.split(' '))).toMatchObject({ kind: 'command', name, rest, entry: { summary: name } })
})

test.each(['keys', 'keys --help'])('%j does not say which command', (line) => {
  expect(find(...line.split(' '))).toMatchObject({ kind: 'group', name: 'keys' })
})

test.each([
  ['tre', 'unknown command "tre"; did you mean tree?'],
  ['zzzzzz', 'unknown command "zzzzzz"; there are tree, keys, backup'],
  ['keys creat', 'unknown command "keys creat"; did you mean keys create?'],
  ['keys frobnicate', 'unknown command "keys frobnicate"; there are keys create, keys list'],
  ['keys toString', 'unknown command "keys toString"; there are keys create, keys list'],
  ['keys --json list', 'unknown flag --json before the command; flags of a command come after it'],
])('%j is refused: %s', (line, message) => {
  expect(() => find(...line.split(' '))).toThrow(message)
})

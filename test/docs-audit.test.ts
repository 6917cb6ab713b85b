import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUDIT_EVENTS } from '../src/core/audit/event-names.ts'

test('the reference lists every event of the audit, and no other', () => {
  const page = readFileSync(new URL('../docs/reference/team.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Audit\n')
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)[a-z]+_[a-z_]+(?=`)/g) ?? [])
  expect(listed.filter((name) => name !== 'drop_after').toSorted()).toEqual(AUDIT_EVENTS.toSorted())
})

import { expect, test } from 'vitest'
import { contentDigest } from '../../util/text/hash.ts'
import type { NodeStateRow } from './checked-rows.ts'
import { betterLabel } from './labels.ts'

const ROW: Parameters<typeof betterLabel>[0] = {
  ...{ type: 'text', format: 'plain' },
  ...{ ownLabel: null, label: 'One.', text: 'One. Two.', digest: contentDigest('One. Two.') },
}

test.each<[string, Partial<NodeStateRow>, string | undefined]>([
  ['that of the text', {}, undefined],
  ['another than that of the text', { label: 'HACKED' }, 'One.'],
  ['no text at all', { label: Buffer.from('x') }, 'One.'],
  ['that of its version', { ownLabel: 'Own', label: 'Own' }, undefined],
  ['another than that of its version', { ownLabel: 'Own' }, 'Own'],
  ['another, and the text is not what was stored', { text: 'Changed.' }, undefined],
  [
    'another than its version says, and the text is not what was stored',
    { text: 'X', ownLabel: 'Own' },
    'Own',
  ],
])('a label that is %s', (_, row, expected) => {
  expect(betterLabel({ ...ROW, ...row })).toBe(expected)
})

import { expect, test } from 'vitest'
import { contentDigest } from '../../util/text/hash.ts'
import type { NodeStateRow } from './checked-rows.ts'
import { betterLabel } from './labels.ts'

const ROW: Parameters<typeof betterLabel>[0] = {
  ...{ type: 'text', format: 'plain' },
  ...{ ownLabel: null, label: 'One.', text: 'One. Two.', digest: contentDigest('One. Two.') },
}

test.each<[string, Partial<NodeStateRow>, string | undefined]>([
  ['derived from the text', {}, undefined],
  ['different from the one derived from the text', { label: 'HACKED' }, 'One.'],
  ['not a string', { label: Buffer.from('x') }, 'One.'],
  ['from its version', { ownLabel: 'Own', label: 'Own' }, undefined],
  ['different from its version', { ownLabel: 'Own' }, 'Own'],
  ['different, with a damaged text', { text: 'Changed.' }, undefined],
  ['different from its version, with a damaged text', { text: 'X', ownLabel: 'Own' }, 'Own'],
])('betterLabel for a label %s', (_, row, expected) => {
  expect(betterLabel({ ...ROW, ...row })).toBe(expected)
})

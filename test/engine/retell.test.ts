import { describe, expect, test } from 'vitest'
import { openTools, type ToolWorkspace } from '../support/agent-memory.ts'
import { expectSound } from '../support/engine.ts'

const PATH = '/f'

async function fileText(at: ToolWorkspace): Promise<string> {
  const { structured } = await at.call('memory', { path: PATH, command: 'read' })
  return (structured.result as { content: string }).content
}

async function nodes(at: ToolWorkspace): Promise<{ id: string; text: string }[]> {
  const { roots } = await at.memory.forest()
  const ids: string[] = []
  const stack = [...roots].reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    ids.push(node.id)
    stack.push(...[...node.children].reverse())
  }
  const { nodes: found } = await at.memory.fetchBatch({ ids, warm: false })
  return ids.map((id) => ({ id, text: found.find((node) => node.id === id)?.text ?? '' }))
}

/** Texts in which the words of a node stand in more than one place, or not at all. */
const HOSTILE = [
  '[a]: http://a.com\n\n# a\n\nsee a\n',
  '# The **big** plan\n\nsome *big* words\n\nbig\n',
  '| a | b |\n|---|---|\n| x | y |\n\nx\n\ny\n',
  '```\nx\n```\n\nx\n\n~~~js\ny\n~~~\n',
  'Title\n=====\n\nTitle\n',
  '# A\r\n\r\nline one\r\nline two\r\n\r\nline two\r\n',
  '> quoted\n> more\n\nquoted\nmore\n',
  'a &amp; b\n\n# a & b\n\namp\n',
  '\\# not\n\n# not\n',
  '---\ntitle: Plan\n---\n\n# Plan\n\nPlan it.\n',
]

describe.each(HOSTILE)('a node of %j', (text) => {
  test.each(['MemoryWrite', 'MemoryForget'])(
    '%s changes it and nothing else, or is refused',
    async (tool) => {
      await using at = await openTools()
      for (let place = 0; ; place++) {
        await at.call('memory', { path: PATH, command: 'delete' })
        await at.call('memory', { path: PATH, command: 'append', content: text })
        const before = await nodes(at)
        const node = before[place]
        if (!node) break
        const args =
          tool === 'MemoryWrite'
            ? { anchor: node.id, payload: 'EDITED' }
            : { node_id: node.id, mode: 'reparent' }
        const refusal = await at.call(tool, args).then(
          () => undefined,
          (error: Error) => error,
        )
        const after = (await nodes(at)).map((one) => one.text)
        const unchanged = before.map((one) => one.text)
        if (refusal) {
          expect(refusal).toMatchObject({ code: 'CONFLICT' })
          expect(after).toEqual(unchanged)
          expect(await fileText(at)).toBe(text)
        } else
          expect(after).toEqual(unchanged.toSpliced(place, 1, ...(tool === 'MemoryWrite' ? ['EDITED'] : [])))
      }
      await expectSound(at.memory)
    },
  )
})

test.each([
  '```\nopen',
  '<div>\n<pre>',
  '---\nx: 1\n---',
  '# H\n\n- a\n\n    code',
  '[x]: http://e.com',
  '\ud800',
  '\0',
])('the words %j do not swallow what stands behind them', async (payload) => {
  await using at = await openTools()
  await at.call('memory', { path: PATH, command: 'append', content: 'one\n\ntwo\n\n# three\n\nfour\n' })
  const [, two] = await nodes(at)
  await at.call('MemoryWrite', { anchor: two?.id, payload }).catch(() => undefined)
  const texts = (await nodes(at)).map((one) => one.text)
  expect(texts[0]).toBe('one')
  expect(texts.slice(-2)).toEqual(['three', 'four'])
  await expectSound(at.memory)
})

import { describe, expect, test } from 'vitest'
import { expectSound, openWorkspace } from '../support/engine.ts'
import { leads } from '../support/leads.ts'

const VAULT = {
  'Projects/Alpha.md':
    '---\naliases:\n  - Project A\n  - The First\n---\n# Alpha project\n\n## Next steps\n\nCall Bob ^call\n\n## Risks & costs\n',
  'Projects/Beta.md': '---\naliases: [Zweites]\n---\nBeta begins here.\n\n# Later\n',
  'People/Bob Smith.md': '# Robert\n',
  'Archive/Alpha.md': '# Old alpha\n',
  'Glossary.md': '# Terms\n\n## Alpha\n\n## Burndown\n',
}

describe('a link as people write it', () => {
  test.each([
    ['[[Bob Smith]]', 'People/Bob Smith.md: Robert'],
    ['[[bob smith]]', 'People/Bob Smith.md: Robert'],
    ['[[Bob Smith.md]]', 'People/Bob Smith.md: Robert'],
    ['[[Bob Smith|Bob]]', 'People/Bob Smith.md: Robert'],
    ['![[Bob Smith]]', 'People/Bob Smith.md: Robert'],
    ['[[Projects/Alpha]]', 'Projects/Alpha.md: Alpha project'],
    ['[[projects/alpha|x]]', 'Projects/Alpha.md: Alpha project'],
    ['[[Archive/Alpha]]', 'Archive/Alpha.md: Old alpha'],
    ['[[Projects/Alpha#Next steps]]', 'Projects/Alpha.md: Next steps'],
    ['[[Projects/Alpha#Alpha project#next steps|soon]]', 'Projects/Alpha.md: Next steps'],
    ['[[Projects/Alpha#Risks & costs]]', 'Projects/Alpha.md: Risks & costs'],
    ['[[Projects/Alpha#^call]]', 'Projects/Alpha.md: Call Bob ^call'],
    ['[[Projects/Alpha#Nowhere]]', 'Projects/Alpha.md: Alpha project'],
    ['[[project a]]', 'Projects/Alpha.md: Alpha project'],
    ['[[The First#Next steps]]', 'Projects/Alpha.md: Next steps'],
    ['[[zweites]]', 'Projects/Beta.md: Beta begins here.'],
    ['[[Burndown]]', 'Glossary.md: Burndown'],
    ['[[Terms#Burndown]]', 'Glossary.md: Burndown'],
    ['[[Burndown; w=2]]', 'Glossary.md: Burndown'],
    ['[[Alpha; source=Glossary.md]]', 'Glossary.md: Alpha'],
    ['[[Nobody]]', null],
    ['[[Nowhere/Alpha]]', null],
    ['[x](../Projects/Alpha.md)', 'Projects/Alpha.md: Alpha project'],
    ['[x](../People/Bob%20Smith.md "title")', 'People/Bob Smith.md: Robert'],
    ['[x](<../People/Bob Smith.md>)', 'People/Bob Smith.md: Robert'],
    ['[x](../Projects/Alpha.md#risks--costs)', 'Projects/Alpha.md: Risks & costs'],
    ['[x](/Glossary.md#burndown)', 'Glossary.md: Burndown'],
    ['[x](Glossary.md)', null],
    ['[x](../../Glossary.md)', null],
  ])('%s', async (written, expected) => {
    await using at = await openWorkspace({ ...VAULT, 'Daily/today.md': `${written} it\n` })
    const found = await leads(at.memory)
    expect(Object.values(found)).toEqual([expected])
    await expectSound(at.memory)
  })

  test.each([
    '[x](https://example.org/a.md)',
    '[x](#risks)',
    '![x](a.md)',
    '[x](a.png)',
    '`[x](a.md)`',
    '<a.md>',
  ])('%s is no link to a file', async (written) => {
    await using at = await openWorkspace({ ...VAULT, 'a.md': `${written} it\n` })
    expect(await leads(at.memory)).toEqual({})
  })

  test('means a heading of its own document, then a file, then an alias, then a heading elsewhere', async () => {
    const files: Record<string, string> = {
      'own.md': 'See [[Topic]].\n\n# Topic\n',
      'Topic.md': 'The file.\n',
      'alias.md': '---\naliases: Topic\n---\nThe alias.\n',
      'heading.md': '# x\n\n# Topic\n',
    }
    await using at = await openWorkspace(files)
    const target = async () => Object.values(await leads(at.memory))[0]
    expect(await target()).toBe('own.md: Topic')
    await at.compile({ 'own.md': 'See [[Topic]].\n' })
    expect(await target()).toBe('Topic.md: The file.')
    at.remove('Topic.md')
    await at.compile()
    expect(await target()).toBe('alias.md: The alias.')
    await at.compile({ 'alias.md': '---\naliases: Other\n---\nThe alias.\n' })
    expect(await target()).toBe('heading.md: Topic')
    at.remove('heading.md')
    await at.compile()
    expect(await target()).toBeNull()
    await at.compile({ 'alias.md': '---\naliases: [x, topic]\n---\nThe alias.\n' })
    expect(await target()).toBe('alias.md: The alias.')
    await expectSound(at.memory)
  })

  test('means the nearest of several files, also when one of them or the link moves', async () => {
    const link = 'See [[Note]].\n'
    await using at = await openWorkspace({
      'a/b/c/from.md': link,
      'a/Note.md': 'In a.\n',
      'Note.md': 'Top.\n',
      'z/y/Note.md': 'In z.\n',
    })
    const target = async () => Object.values(await leads(at.memory))[0]
    expect(await target()).toBe('a/Note.md: In a.')
    at.remove('a/Note.md')
    await at.compile({ 'a/b/Note.md': 'In a.\n' })
    expect(await target()).toBe('a/b/Note.md: In a.')
    at.remove('a/b/c/from.md')
    await at.compile({ 'z/from.md': link })
    expect(await target()).toBe('z/y/Note.md: In z.')
    at.remove('z/y/Note.md')
    await at.compile()
    expect(await target()).toBe('Note.md: Top.')
    await expectSound(at.memory)
  })

  test('follows a block and the beginning of a file as they change', async () => {
    await using at = await openWorkspace({
      'from.md': 'Block [[to#^b1]].\n\nFile [[to]].\n\nOwn [[#^mine]].\n',
      'to.md': 'First\n\nSecond ^b1\n',
    })
    expect(await leads(at.memory)).toEqual({
      'Block [[to#^b1]].': 'to.md: Second ^b1',
      'File [[to]].': 'to.md: First',
      'Own [[#^mine]].': null,
    })
    await at.compile({ 'to.md': 'Before.\n\nFirst ^b1\n\nSecond.\n' })
    await at.compile({ 'from.md': 'Block [[to#^b1]].\n\nFile [[to]].\n\nOwn [[#^mine]].\n\nMe ^mine\n' })
    expect(await leads(at.memory)).toEqual({
      'Block [[to#^b1]].': 'to.md: First ^b1',
      'File [[to]].': 'to.md: Before.',
      'Own [[#^mine]].': 'from.md: Me ^mine',
    })
    await expectSound(at.memory)
  })

  test('leads to a block by its whole name, which may have spaces', async () => {
    const text = 'On [[#^b]]\n\nOn [[#^A b]]\n\nOn [[#^x]]\n\none ^a b\n\ntwo ^B\n\nthree x\n'
    await using at = await openWorkspace({ 'a.md': text })
    expect(await leads(at.memory)).toEqual({
      'On [[#^b]]': 'a.md: two ^B',
      'On [[#^A b]]': 'a.md: one ^a b',
      'On [[#^x]]': null,
    })
  })

  test('leads to one of many blocks of its document, at the cost of one look for all such links', {
    timeout: 8000,
  }, async () => {
    const many = 2500
    const last = many - 1
    const lines = Array.from({ length: many }, (_, n) => `note ${n} on [[#^b${last - n}]] ^b${n}\n\n`)
    await using at = await openWorkspace({ 'a.md': lines.join('') })
    const { nodes, edges } = await at.memory.graph()
    const numbers = new Map(nodes.map(({ id, label }) => [id, Number(/^note (\d+)/.exec(label)?.[1])]))
    const sums = edges.map(({ source, target }) => Number(numbers.get(source)) + Number(numbers.get(target)))
    expect(sums).toEqual(Array(many).fill(last))
  })
})

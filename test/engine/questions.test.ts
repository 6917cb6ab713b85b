import { describe, expect, test } from 'vitest'
import type { BisectReport, CheckReport, Memory, QuestionInput } from '../../src/index.ts'
import { heatOf, idOf, openWorkspace, stateOf, type Workspace } from '../support/engine.ts'

const POLICY = '# Support\n\nEscalate to Kim.\n\n## Refunds\n\nRefunds take 30 days.\n'
const REFUNDS: QuestionInput = { question: 'how long do refunds take', words: ['30 days'] }
const ESCALATE: QuestionInput = { question: 'escalate', words: ['Kim'], paths: ['policy.md'] }

const openPolicy = (): Promise<Workspace> => openWorkspace({ 'policy.md': POLICY })

/** Writes that have nothing to do with the questions. */
async function chatter(memory: Memory, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await memory.by('chatter').write({ payload: `Lunch ${at} was soup.` })
}

function summaryOf({ recall, passed, found, expected }: CheckReport) {
  return { recall, passed, found, expected }
}

/** What was lost, where and why, in few words. */
function brief({ breaks }: BisectReport) {
  return breaks.map(({ snapshot, before, lost }) => ({
    before,
    at: snapshot.id,
    by: snapshot.author,
    lost: lost.map(({ kind, value, cause }) => `${kind} ${value}: ${cause.kind}`),
  }))
}

describe('a check', () => {
  test('says which part of what is expected is found, and where it stands', async () => {
    await using at = await openPolicy()
    const id = await idOf(at.memory, 'Refunds take 30 days.')
    const report = await at.memory.check([
      { ...REFUNDS, nodes: [id], paths: ['policy.md', 'terms.md'] },
      ESCALATE,
    ])
    expect(summaryOf(report)).toEqual({ recall: 5 / 6, passed: false, found: 5, expected: 6 })
    const [refunds] = report.questions
    expect(refunds?.found).toEqual([
      { kind: 'node', value: id, place: 1 },
      { kind: 'path', value: 'policy.md', place: 1 },
      { kind: 'word', value: '30 days', place: 1 },
    ])
    expect(refunds?.missing).toEqual([{ kind: 'path', value: 'terms.md', place: null }])
    expect(refunds?.hits.map(({ label }) => label)).toEqual(['Refunds take 30 days.', 'Refunds'])
  })

  test('passes from the share that it is given', async () => {
    await using at = await openPolicy()
    const questions = [REFUNDS, { ...ESCALATE, words: ['Ada'] }]
    const passed = async (min?: number) => (await at.memory.check(questions, { min })).passed
    expect([await passed(), await passed(0.67), await passed(0.66), await passed(0)]).toEqual([
      false,
      false,
      true,
      true,
    ])
    await expect(passed(1.1)).rejects.toThrow('min must be a number from 0 to 1')
  })

  test('counts the first k hits, and tells where else an item stands', async () => {
    await using at = await openPolicy()
    const id = await idOf(at.memory, 'Refunds take 30 days.')
    const { questions } = await at.memory.check([{ question: 'refunds', nodes: [id], k: 1 }])
    expect(questions[0]?.missing).toEqual([{ kind: 'node', value: id, place: 2 }])
  })

  test('finds words in the whole text of a hit, not only in its snippet', async () => {
    const long = `Deployment begins on Monday. ${'Nothing else happens then. '.repeat(40)}The password is rotated.`
    await using at = await openWorkspace({ 'a.md': long })
    const { passed } = await at.memory.check([{ question: 'deployment', words: ['rotated'] }])
    expect(passed).toBe(true)
  })

  test('of an empty memory finds nothing', async () => {
    await using at = await openWorkspace()
    expect(await at.memory.check([REFUNDS])).toMatchObject({ snapshot: 0, recall: 0, passed: false })
    expect(await at.memory.bisect([REFUNDS])).toMatchObject({
      passed: false,
      unexplained: [{ value: '30 days', tried: 'all' }],
    })
  })

  test('at a moment asks what the memory said then', async () => {
    await using at = await openPolicy()
    await at.memory.checkpoint({ name: 'good' })
    await at.compile({ 'policy.md': POLICY.replace('30', '90') })
    const passedAt = async (asOf?: number | string) => {
      const { snapshot, passed } = await at.memory.check([REFUNDS], { asOf })
      return { snapshot, passed }
    }
    expect(await passedAt()).toEqual({ snapshot: 2, passed: false })
    expect(await passedAt(1)).toEqual({ snapshot: 1, passed: true })
    expect(await passedAt('good')).toEqual({ snapshot: 1, passed: true })
    expect(await passedAt('now')).toEqual({ snapshot: 2, passed: false })
    await expect(passedAt(3)).rejects.toThrow('snapshot 3 is ahead of HEAD 2')
  })

  test('and a bisection warm nothing and write nothing', async () => {
    await using at = await openPolicy()
    await at.compile({ 'policy.md': POLICY.replace('30', '90') })
    const before = [heatOf(at.memory), await stateOf(at.memory), await at.memory.snapshots()]
    await at.memory.check([REFUNDS, ESCALATE])
    await at.memory.check([REFUNDS], { asOf: 1 })
    await at.memory.bisect([REFUNDS])
    await at.memory.flush()
    expect([heatOf(at.memory), await stateOf(at.memory), await at.memory.snapshots()]).toEqual(before)
  })
})

describe('a bisection', () => {
  test('has nothing to find while every answer is found', async () => {
    await using at = await openPolicy()
    expect(await at.memory.bisect([REFUNDS, ESCALATE])).toEqual({
      snapshot: 1,
      passed: true,
      breaks: [],
      unexplained: [],
      searches: 2,
    })
  })

  test('names the agent that overwrote a decision, among 200 snapshots of others', async () => {
    await using at = await openPolicy()
    const id = await idOf(at.memory, 'Refunds take 30 days.')
    await chatter(at.memory, 120)
    const poisoner = at.memory.by('poisoner')
    await poisoner.write({ anchor: id, payload: 'Refunds take 365 days.' })
    await chatter(at.memory, 80)
    const report = await at.memory.bisect([REFUNDS, ESCALATE])
    expect(brief(report)).toEqual([{ before: 121, at: 122, by: 'poisoner', lost: ['word 30 days: edited'] }])
    const [found] = report.breaks
    expect(found?.snapshot).toMatchObject({ operation: 'write', message: `write:${id}` })
    expect(found?.lost[0]?.cause.changes).toMatchObject([
      {
        nodeId: id,
        file: 'policy.md',
        op: 'mod',
        old: { text: 'Refunds take 30 days.' },
        new: { text: 'Refunds take 365 days.' },
      },
    ])
    expect(report.searches).toBeLessThan(25)
  })

  test('finds the compile that lost a paragraph', async () => {
    await using at = await openPolicy()
    const id = await idOf(at.memory, 'Escalate to Kim.')
    await chatter(at.memory, 3)
    await at.compile({ 'policy.md': POLICY.replace('Escalate to Kim.\n\n', '') })
    await chatter(at.memory, 3)
    const report = await at.memory.bisect([{ question: 'escalate', nodes: [id], paths: ['policy.md'] }])
    expect(brief(report)).toMatchObject([
      { before: 4, at: 5, lost: [`node ${id}: removed`, 'path policy.md: removed'] },
    ])
    expect(report.breaks[0]?.lost[0]?.cause.changes).toMatchObject([
      { nodeId: id, op: 'rem', old: { text: 'Escalate to Kim.' }, new: null },
    ])
  })

  test('finds the compile that lost a whole document, and names it', async () => {
    await using at = await openPolicy()
    await chatter(at.memory, 2)
    at.remove('policy.md')
    await at.compile({ 'other.md': 'Nothing about it.' })
    await chatter(at.memory, 2)
    const report = await at.memory.bisect([ESCALATE])
    expect(brief(report)).toMatchObject([
      { before: 3, at: 4, lost: ['path policy.md: removed', 'word Kim: removed'] },
    ])
    expect(report.breaks[0]?.lost[0]?.cause.document).toBe('policy.md')
  })

  test('finds a node that was there only for a moment long ago', async () => {
    await using at = await openPolicy()
    await chatter(at.memory, 40)
    const { id } = await at.memory.write({ payload: 'The vault is behind the painting.' })
    await at.memory.forget({ id })
    await chatter(at.memory, 300)
    const report = await at.memory.bisect([{ question: 'vault', nodes: [id] }])
    expect(brief(report)).toMatchObject([{ before: 42, at: 43, lost: [`node ${id}: removed`] }])
    expect(report.searches).toBeLessThan(20)
  })

  test('follows nodes through a rename, and tells of a path that is no longer right', async () => {
    await using at = await openPolicy()
    const id = await idOf(at.memory, 'Escalate to Kim.')
    await chatter(at.memory, 2)
    at.remove('policy.md')
    await at.compile({ 'docs/policy.md': POLICY })
    await chatter(at.memory, 2)
    const moved = { question: 'escalate', nodes: [id], words: ['Kim'] }
    expect((await at.memory.bisect([moved])).passed).toBe(true)
    const { breaks } = await at.memory.bisect([ESCALATE])
    expect(breaks).toMatchObject([
      {
        snapshot: { id: 4 },
        lost: [{ cause: { kind: 'renamed', renamed: { from: 'policy.md', to: 'docs/policy.md' } } }],
      },
    ])
  })

  test('finds what comes before an answer that did not change', async () => {
    await using at = await openPolicy()
    const id = await idOf(at.memory, 'Escalate to Kim.')
    await chatter(at.memory, 2)
    await at.memory.by('spammer').write({ payload: '# Escalate\n\nEscalate! Escalate! Escalate!\n' })
    await chatter(at.memory, 2)
    const report = await at.memory.bisect([{ question: 'escalate', nodes: [id], k: 1 }])
    expect(brief(report)).toEqual([{ before: 3, at: 4, by: 'spammer', lost: [`node ${id}: outranked`] }])
    expect(report.breaks[0]?.lost[0]?.cause.changes).toMatchObject([{ op: 'add', new: { text: 'Escalate' } }])
  })

  test('finds a loss where answers come and go, and tells when there are others', async () => {
    await using at = await openPolicy()
    const id = await idOf(at.memory, 'Refunds take 30 days.')
    const writeAll = async (days: number[]) => {
      for (const one of days)
        await at.memory.by(`agent ${one}`).write({ anchor: id, payload: `Refunds take ${one} days.` })
    }
    await writeAll([31, 30, 32, 30, 33, 34])
    const report = await at.memory.bisect([REFUNDS])
    expect(brief(report)).toMatchObject([{ before: 5, at: 6, by: 'agent 33' }])
    const older = await at.memory.bisect([REFUNDS], { good: 1 })
    const [first] = older.breaks
    expect([
      [1, 2],
      [3, 4],
      [5, 6],
    ]).toContainEqual([first?.before, first?.snapshot.id])
  })

  test('finds two losses of one question, newest first', async () => {
    await using at = await openPolicy()
    await at.compile({ 'policy.md': POLICY.replace('Kim', 'Ada') })
    await chatter(at.memory, 3)
    await at.compile({ 'policy.md': POLICY.replace('Kim', 'Ada').replace('30', '90') })
    const both = { question: 'refunds take days escalate to', words: ['Kim', '30 days'] }
    expect(brief(await at.memory.bisect([both])).map(({ at, lost }) => [at, lost])).toEqual([
      [6, ['word 30 days: edited']],
      [2, ['word Kim: edited']],
    ])
  })

  test('begins at the moment that is given, and refuses one at which there is nothing to compare', async () => {
    await using at = await openPolicy()
    await at.memory.checkpoint({ name: 'release' })
    await at.compile({ 'policy.md': POLICY.replace('30', '90') })
    await chatter(at.memory, 4)
    expect(brief(await at.memory.bisect([REFUNDS], { good: 'release' }))).toMatchObject([
      { before: 1, at: 2 },
    ])
    expect(await at.memory.bisect([REFUNDS], { good: 3 })).toMatchObject({
      passed: false,
      breaks: [],
      unexplained: [{ kind: 'word', value: '30 days', tried: 'given' }],
    })
    expect(await at.memory.bisect([REFUNDS], { good: 6 })).toMatchObject({
      unexplained: [{ tried: 'given' }],
    })
    expect(await at.memory.bisect([ESCALATE], { good: 'now' })).toMatchObject({ passed: true })
    await expect(at.memory.bisect([REFUNDS], { good: 'never' })).rejects.toThrow('checkpoint')
  })

  test('tells apart what is missing only because other nodes are warmer', async () => {
    await using at = await openWorkspace({ 'a.md': 'Lunch is soup.\n\nLunch is rice.\n' })
    const { memory } = at
    const { hits } = await memory.search({ query: 'lunch', warm: false })
    const [first, second] = hits.map(({ id }) => id)
    await memory.pin({ id: second ?? '', temperature: 1 })
    await memory.pin({ id: first ?? '', temperature: 0 })
    await chatter(memory, 3)
    const report = await memory.bisect([{ question: 'lunch is', nodes: [first ?? ''], k: 1 }])
    expect(report).toMatchObject({ passed: false, breaks: [], unexplained: [{ tried: 'head' }] })
  })

  test('reports how far it is, and can be aborted', async () => {
    await using at = await openPolicy()
    await at.compile({ 'policy.md': POLICY.replace('30', '90') })
    await chatter(at.memory, 10)
    const steps: number[] = []
    await at.memory.bisect([REFUNDS, ESCALATE], {
      onProgress: ({ after, before, total }) => {
        expect(total).toBe(2)
        steps.push(before - after)
      },
    })
    expect(steps.at(-1)).toBe(1)
    const aborted = at.memory.bisect([REFUNDS], { signal: AbortSignal.abort(new Error('enough')) })
    await expect(aborted).rejects.toThrow('enough')
  })
})

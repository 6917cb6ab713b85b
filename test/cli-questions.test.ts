import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, remindb, remindbOnTerminal, temporaryFolder } from './support/cli.ts'

const POLICY = '# Support\n\nEscalate to Kim.\n\n## Refunds\n\nRefunds take 30 days.\n'
const GOOD = '{"question": "escalate", "words": ["Kim"]}\n'
const BAD = '# about money\n{"question": "refunds", "words": ["90 days"], "paths": ["policy.md"]}\n'

beforeAll(ensureProgramIsBuilt)

function openFolder(questions: string) {
  const folder = temporaryFolder({ 'policy.md': POLICY, 'questions.jsonl': questions })
  const run = (...args: string[]) => remindb(args, { cwd: folder.path })
  const compile = () => expect(run('compile', 'policy.md').code).toBe(0)
  compile()
  const file = join(folder.path, 'questions.jsonl')
  return { ...folder, run, compile, read: () => readFileSync(file, 'utf8') }
}

describe('check', () => {
  test('prints a line for each question, and ends with 0 when everything is found', () => {
    using folder = openFolder(GOOD)
    expect(folder.run('check', 'questions.jsonl')).toEqual({
      code: 0,
      stdout: '✓ 1/1  escalate\n\nfound 1 of 1 in 1 question at snapshot 1: recall 1.00\n',
      stderr: '',
    })
  })

  test('prints what is missing and what came instead, and ends with 1', () => {
    using folder = openFolder(GOOD + BAD)
    const { code, stdout } = folder.run('check', 'questions.jsonl')
    expect(code).toBe(1)
    expect(stdout.replaceAll(/id=\w+/g, 'id=…')).toBe(`✓ 1/1  escalate
✗ 1/2  refunds (line 3)
    missing: words "90 days" (not found)
    instead: [heading] Refunds (id=… file=policy.md)
             [text] Refunds take 30 days. (id=… file=policy.md)

found 2 of 3 in 2 questions at snapshot 1: recall 0.66, less than 1.00
`)
  })

  test('ends with 0 when the minimum is reached', () => {
    using folder = openFolder(GOOD + BAD)
    const codeOf = (min: string) => folder.run('check', 'questions.jsonl', '--min', min).code
    expect([codeOf('0.7'), codeOf('0.6'), codeOf('0')]).toEqual([1, 0, 0])
    expect(codeOf('2')).toBe(2)
  })

  test('prints JSON', () => {
    using folder = openFolder(BAD)
    const { code, stdout } = folder.run('check', 'questions.jsonl', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      snapshot: 1,
      recall: 0.5,
      min: 1,
      passed: false,
      expected: 2,
      found: 1,
      questions: [
        {
          question: 'refunds',
          line: 2,
          k: null,
          found: [{ kind: 'path', value: 'policy.md', place: 1 }],
          missing: [{ kind: 'word', value: '90 days', place: null }],
        },
      ],
    })
  })

  test('asks at another moment', () => {
    using folder = openFolder(GOOD)
    folder.write('policy.md', POLICY.replace('Kim', 'Ada'))
    folder.compile()
    expect(folder.run('check', 'questions.jsonl').code).toBe(1)
    const { code, stdout } = folder.run('check', 'questions.jsonl', '--as-of', '1')
    expect([code, stdout]).toEqual([0, expect.stringContaining('at snapshot 1: recall 1.00')])
  })

  test.each([
    ['{"question": "a", "node": ["b"]}', 'questions.jsonl:1: unknown member "node"; did you mean nodes?'],
    ['\n\nnope', 'questions.jsonl:3: this line is not JSON'],
    ['# nothing', 'questions.jsonl: there is no question in it'],
  ])('names the line of a file with %j', (text, problem) => {
    using folder = openFolder(text)
    for (const name of ['check', 'bisect']) {
      const { code, stdout, stderr } = folder.run(name, 'questions.jsonl')
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(problem)])
    }
  })

  test('without a file says what to do', () => {
    using folder = openFolder('')
    const none = folder.run('check', 'none.jsonl')
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('there is no file none.jsonl')])
    const missing = folder.run('check')
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--record writes one')])
    expect(folder.run('check', '.').stderr).toContain('. is not a file')
  })
})

describe('check --record', () => {
  test('appends what a person approves, and leaves everything else in the file', () => {
    using folder = openFolder(`# ours\n${GOOD.trimEnd()}`)
    const shown = remindbOnTerminal(['check', '--record'], {
      cwd: folder.path,
      env: { NO_COLOR: '1' },
      input: 'refunds\n7\n2 1f\nescalate\nzebra\n\n',
    })
    expect(shown).toContain('2  [text] Refunds take 30 days. (id=')
    expect(shown).toContain('"7" is not a hit: 2 hits')
    expect(shown).toContain('this question is in the file already')
    expect(shown).toContain('nothing was found')
    expect(shown).toContain('added 1 question to questions.jsonl; ask them with: ')
    const [comment, first, added, ...rest] = folder.read().split('\n')
    expect([comment, `${first}\n`, rest]).toEqual(['# ours', GOOD, ['']])
    expect(JSON.parse(added ?? '')).toEqual({
      question: 'refunds',
      nodes: [expect.stringMatching(/^\w{11}$/)],
      paths: ['policy.md'],
    })
    expect(folder.run('check', 'questions.jsonl').code).toBe(0)
  })

  test('makes a file that is not there only when something is approved', () => {
    using folder = openFolder('')
    const record = (input: string) =>
      remindbOnTerminal(['check', '--record', 'new.jsonl'], { cwd: folder.path, input })
    expect(record('refunds\n\n\n')).toContain('added 0 questions')
    expect(folder.run('check', 'new.jsonl').stderr).toContain('there is no file')
    expect(record('refunds\n1\n')).toContain('added 1 question')
    expect(folder.run('check', 'new.jsonl').code).toBe(0)
  })

  test('refuses a file with a mistake before it asks', () => {
    using folder = openFolder('{"question": 1}')
    const shown = remindbOnTerminal(['check', '--record'], { cwd: folder.path, input: 'refunds\n1\n' })
    expect(shown).toContain('questions.jsonl:1: question must be a text')
    expect(folder.read()).toBe('{"question": 1}')
  })

  test('is refused without a terminal, and beside what belongs to a check', () => {
    using folder = openFolder(GOOD)
    const piped = folder.run('check', '--record')
    expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('on a terminal')])
    for (const flags of [['--min', '1'], ['--as-of', '1'], ['--json']]) {
      const { code, stderr } = folder.run('check', '--record', ...flags)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--record takes no ${flags[0]}`)])
    }
  })
})

describe('bisect', () => {
  async function poison(path: string) {
    await using memory = await openMemory({ db: path })
    const { hits } = await memory.search({ query: 'refunds days', warm: false })
    const id = hits.find(({ type }) => type === 'text')?.id ?? ''
    await memory.write({ payload: 'Lunch is at noon.' })
    await memory.by('helper').write({ anchor: id, payload: 'Refunds take 365 days.' })
    await memory.write({ payload: 'Tea is at four.' })
    return id
  }
  const ASKED = '{"question": "refunds", "words": ["30 days"]}\n'

  test('names the snapshot, what it changed and the command that takes it back, and ends with 1', async () => {
    using folder = openFolder(ASKED)
    const id = await poison(folder.path)
    const { code, stdout, stderr } = folder.run('bisect', 'questions.jsonl')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const shown = stdout.replaceAll(/\S+\/remindb /g, 'remindb ').replace(/\d{4}-\d\d-\d\d \S+/, '<time>')
    expect(shown).toBe(`#3 <time> write by helper: write:${id}
  lost: words "30 days" of "refunds", found at snapshot 2
  the answer was changed:
[mod] ${id} policy.md › Refunds: Refunds take 365 days.
@@ -1 +1 @@
-Refunds take 30 days.
+Refunds take 365 days.
  bring it back: remindb restore ${id} --snapshot 2
  undo the snapshot: remindb revert 3
`)
  })

  test('prints JSON', async () => {
    using folder = openFolder(ASKED)
    const id = await poison(folder.path)
    const { code, stdout } = folder.run('bisect', 'questions.jsonl', '--good', '1', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      snapshot: 4,
      passed: false,
      breaks: [
        {
          snapshot: { id: 3, author: 'helper', operation: 'write', message: `write:${id}` },
          before: 2,
          repeated: false,
          lost: [
            {
              question: 'refunds',
              line: 1,
              kind: 'word',
              value: '30 days',
              place: 2,
              cause: { kind: 'edited', changes: [{ op: 'mod', node_id: id }], renamed: null },
            },
          ],
          suggestions: [
            { aim: 'bring it back', command: `remindb restore ${id} --snapshot 2` },
            { aim: 'undo the snapshot', command: 'remindb revert 3' },
          ],
        },
      ],
      unexplained: [],
    })
  })

  test('has nothing to find while everything is found, and ends with 0', () => {
    using folder = openFolder(GOOD)
    expect(folder.run('bisect', 'questions.jsonl')).toEqual({
      code: 0,
      stdout: 'nothing is missing at snapshot 1: there is nothing to find\n',
      stderr: '',
    })
  })

  test('tells what never was found', () => {
    using folder = openFolder(BAD)
    const { code, stdout } = folder.run('bisect', 'questions.jsonl')
    expect([code, stdout]).toEqual([1, 'never found: words "90 days" of "refunds", at no snapshot\n'])
  })
})

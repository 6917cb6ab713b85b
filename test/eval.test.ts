import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { METRICS } from '../eval/metrics.ts'
import type { Report } from '../eval/report.ts'
import { readRows, SETS } from '../eval/secrets/corpus.ts'
import { type Measured, measure } from '../eval/secrets/measure.ts'
import { createRedactor } from '../src/ingest/redact/redactor.ts'
import { type Ended, temporaryFolder } from './support/cli.ts'

const EVAL = join(dirname(dirname(fileURLToPath(import.meta.url))), 'eval')

function evaluate(...args: string[]): Ended {
  const run = spawnSync(process.execPath, [join(EVAL, 'main.ts'), ...args], { encoding: 'utf8' })
  return { code: run.status, stdout: run.stdout, stderr: run.stderr }
}

/** Two questions about three paragraphs, one of which is a list and one below a second heading. */
const CONVERSATION = {
  'notes/a.md':
    '# Marmalade\n\nThe kettle is blue.\n\n- Mondays: soup\n- Fridays: dumplings\n\n## Marmalade, later\n\nIt sets in an hour.\n',
  'turns.jsonl': [
    { id: 'a:0', file: 'a.md', ordinal: 0 },
    { id: 'a:1', file: 'a.md', ordinal: 1 },
    { id: 'a:2', file: 'a.md', ordinal: 2 },
  ]
    .map((turn) => JSON.stringify(turn))
    .join('\n'),
  'questions.jsonl': [
    { question: 'dumplings', relevant: ['a:1'], category: 4 },
    { question: 'hour', relevant: ['a:2', 'a:0'], category: 1 },
    { question: 'kettle', relevant: ['a:0'], category: 5 },
    { question: 'dumplings', relevant: [], category: 5 },
  ]
    .map((question) => JSON.stringify(question))
    .join('\n'),
}

describe('npm run eval', () => {
  test('finds most of what answers the questions of our own set, and says so on one line of JSON', () => {
    const before = readdirSync(EVAL, { recursive: true }).sort()
    const { code, stdout } = evaluate('--json')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    const report = JSON.parse(stdout) as Report
    expect(Object.keys(report).slice(0, 2)).toEqual(['overall', 'by_category'])
    expect(Object.keys(report.overall)).toEqual([...METRICS, 'questions'])
    expect(Object.keys(report.by_category)).toEqual(['1', '2', '3', '4', '5'])
    expect(report).toMatchObject({ conversations: 2, skipped: 2, overall: { questions: 51 } })
    // A floor for quality: raise it when search gets better, and never lower it to make a change pass.
    expect(report.overall['recall@5']).toBeGreaterThan(76)
    expect(report.overall['recall@10']).toBeGreaterThan(80)
    expect(report.overall['ndcg@10']).toBeGreaterThan(71)
    expect(readdirSync(EVAL, { recursive: true }).sort()).toEqual(before)
  })

  test('takes a folder that is one conversation, and one with several in it', () => {
    using one = temporaryFolder(CONVERSATION)
    using several = temporaryFolder(
      Object.fromEntries(
        ['x', 'y'].flatMap((name) =>
          Object.entries(CONVERSATION).map(([file, text]) => [`${name}/${file}`, text]),
        ),
      ),
    )
    const single = JSON.parse(evaluate(one.path, '--json').stdout) as Report
    const double = JSON.parse(evaluate(several.path, '--json').stdout) as Report
    expect(single).toMatchObject({ conversations: 1, skipped: 1, overall: { questions: 2 } })
    expect(double).toMatchObject({ conversations: 2, skipped: 2, overall: { questions: 4 } })
    expect({ ...double.overall, questions: 0 }).toEqual({ ...single.overall, questions: 0 })
  })

  test('counts categories 1 to 4 as overall, and 5 apart', () => {
    using folder = temporaryFolder(CONVERSATION)
    const report = JSON.parse(evaluate(folder.path, '--json').stdout) as Report
    expect(report.by_category['4']?.['recall@5']).toBe(100)
    expect(report.by_category['5']?.['recall@5']).toBe(100)
    const [multi = 0, single = 0] = ['1', '4'].map((name) => report.by_category[name]?.['recall@5'])
    expect(report.overall['recall@5']).toBe((multi + single) / 2)
  })

  test('does not count headings as turns', () => {
    const question = { question: 'marmalade hour', relevant: ['a:2'], category: 4 }
    using folder = temporaryFolder({ ...CONVERSATION, 'questions.jsonl': JSON.stringify(question) })
    const report = JSON.parse(evaluate(folder.path, '--json').stdout) as Report
    expect(report.overall).toMatchObject({ 'recall@5': 100, mrr: 100 })
  })

  test('reads conversations of messages, where an exchange is a message and the answer to it', () => {
    const EXCHANGES = {
      'notes/session-01.md':
        '# Session 1\n\n## Message 0, user, May-01-2025\n\nWhere is the kettle?\n\n## Message 1, assistant\n\n#### Kitchen\n\nOn the shelf, beside the marmalade.\n\n## Message 2, user\n\nThanks.\n\n## Message 3, assistant\n\nDumplings are on Fridays.\n',
      'questions.jsonl': [
        { kind: 'event_ordering', question: 'marmalade', relevant: [0, 1] },
        { kind: 'summarization', question: 'dumplings', relevant: [3] },
        { kind: 'summarization', question: 'unanswerable', relevant: [] },
      ]
        .map((question) => JSON.stringify(question))
        .join('\n'),
    }
    using folder = temporaryFolder(
      Object.fromEntries(Object.entries(EXCHANGES).map(([file, text]) => [`100K/1/${file}`, text])),
    )
    const report = JSON.parse(evaluate(folder.path, '--json').stdout) as Report
    expect(Object.keys(report.by_category)).toEqual(['event_ordering', 'summarization'])
    expect(report).toMatchObject({ conversations: 1, skipped: 1, unit: 'exchange' })
    expect(report.overall).toMatchObject({ questions: 2, 'recall@5': 100, mrr: 100 })
    expect(evaluate(folder.path).stdout).toContain('1 question without a relevant exchange was skipped')
  })

  test('prints a table for people', () => {
    using folder = temporaryFolder(CONVERSATION)
    const { stdout } = evaluate(folder.path)
    expect(stdout).toMatch(/^ +questions +recall@5 .* mrr\n1 multi-hop +1 /)
    expect(stdout).toMatch(/\n1–4 overall +2 /)
    expect(stdout).toContain('\n1 conversation; 1 question without a relevant turn was skipped\n')
  })

  test('warns when turns and paragraphs do not agree, and of turns that are not there', () => {
    const strange = { question: 'kettle', relevant: ['a:0', 'a:9'], category: 4 }
    using folder = temporaryFolder({
      ...CONVERSATION,
      'notes/a.md': 'The kettle is blue.\n',
      'questions.jsonl': JSON.stringify(strange),
    })
    const { code, stdout, stderr } = evaluate(folder.path, '--json')
    expect(code).toBe(0)
    expect(stderr).toContain('a.md has 1 paragraphs, turns.jsonl expects 3')
    expect(stderr).toContain('questions.jsonl names 1 turns that turns.jsonl does not have')
    expect((JSON.parse(stdout) as Report).overall['recall@50']).toBe(50)
  })
})

describe('npm run eval says what to do', () => {
  const problem = (files: Record<string, string>): string => {
    using folder = temporaryFolder(files)
    const { code, stdout, stderr } = evaluate(folder.path)
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }

  test('about a folder that is not there', () => {
    const { code, stderr } = evaluate(join(EVAL, 'nowhere'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/^there is no folder .*nowhere; name one/)
  })

  test('about a folder without conversations', () => {
    expect(problem({ 'readme.md': 'x' })).toContain('has no conversations: folders with notes, turns.jsonl')
  })

  test.each(['notes', 'turns.jsonl', 'questions.jsonl'])('about a missing %s', (missing) => {
    const files = Object.entries(CONVERSATION).filter(([name]) => !name.startsWith(missing))
    expect(problem(Object.fromEntries(files))).toContain(`has no ${missing}; a conversation needs notes`)
  })

  test.each([
    ['turns.jsonl', 'not JSON', 'line 4: this is not JSON; write one object on each line'],
    ['turns.jsonl', '{"id":"a:3","file":"a.md"}', 'line 4: a turn needs "id"'],
    ['turns.jsonl', 'null', 'line 4: a turn needs "id"'],
    [
      'questions.jsonl',
      '{"question":"x","relevant":[1],"category":1}',
      'line 5: a question needs "question"',
    ],
    ['questions.jsonl', '{"question":"x","relevant":[],"category":0}', 'line 5: a question needs "question"'],
  ] as const)('about a bad line in %s: %s', (file, line, message) => {
    expect(problem({ ...CONVERSATION, [file]: `${CONVERSATION[file]}\n${line}\n` })).toContain(message)
  })

  test.each([
    [['--nope'], "Unknown option '--nope'; see npm run eval -- --help"],
    [['a', 'b'], 'name one folder; see npm run eval -- --help'],
  ])('about %j', (args, message) => {
    expect(evaluate(...args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` })
  })

  test('with --help', () => {
    expect(evaluate('--help').stdout).toContain('npm run eval [-- <folder>] [--json]')
  })
})

describe('npm run eval -- secrets', () => {
  test('finds nearly every secret of the development set, and alters nothing else', async () => {
    const { redact } = await createRedactor({})
    const measured = measure(readRows('dev'), redact)
    // A floor for quality: raise it when redaction gets better, and never lower it to make a change pass.
    expect(measured.recall).toBeGreaterThanOrEqual(99)
    expect(measured.false_positives).toBe(0)
  })

  test('prints both figures for both sets, and of the one held out no row', () => {
    const { code, stdout } = evaluate('secrets', '--json')
    expect(code).toBe(0)
    const report = JSON.parse(stdout) as Record<string, Measured>
    expect(Object.keys(report)).toEqual(['dev', 'held-out'])
    expect(report.dev?.wrong).toBeInstanceOf(Array)
    expect(report['held-out']).not.toHaveProperty('wrong')
    expect(report['held-out']?.recall).toBeGreaterThanOrEqual(95)
    expect(report['held-out']?.false_positives).toBeLessThanOrEqual(1)
    expect(evaluate('secrets', '--verbose').stdout).toMatch(/^ +secrets +found +recall .*\ndev +\d/)
  })

  test('has texts enough of every kind, each with an id of its own', () => {
    const rows = SETS.flatMap(readRows)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const positives = rows.filter(({ secrets }) => secrets.length > 0)
    expect(positives.length).toBeGreaterThanOrEqual(300)
    expect(rows.length - positives.length).toBeGreaterThanOrEqual(300)
    expect(positives.filter(({ text, secrets }) => secrets.some((secret) => !text.includes(secret)))).toEqual(
      [],
    )
    const few = KINDS.filter((kind) => positives.filter((row) => row.kind === kind).length < 5)
    expect(few).toEqual([])
  })
})

/** What the corpus must have, each at least five times. */
const KINDS = [
  ...[
    'yaml',
    'json',
    'json-mcp-env',
    'assignment',
    'ini',
    'dotenv',
    'header-basic',
    'azure',
    'curl-user',
    'jdbc-url',
    'ftp-url',
  ],
  ...[
    'openrouter',
    'groq',
    'xai',
    'perplexity',
    'vault',
    'docker-pat',
    'digitalocean',
    'atlassian',
    'telegram',
    'shopify',
  ],
  ...['invisible', 'path-or-name'],
]

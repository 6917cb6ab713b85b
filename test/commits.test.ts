import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Older subjects are what they are. */
const SINCE = 'bd1b16abb7af0e713e87dc94642d4970b9477efd'
const NOT_IMPERATIVE = /^(?:\w+ed|\w+ing|(?:Add|Make|Use|Fix|Move|Remove|Change|Update)s)\b/

/** What is wrong with the subject of a commit, if anything is. */
function problemOf(subject: string): string | undefined {
  if (subject.length > 72) return `has ${subject.length} characters, more than 72`
  if (!/^[A-Z]/.test(subject)) return 'must begin with a capital'
  if (/[.:]$|^\w+(?:\(\w+\))?: /.test(subject)) return 'must have no prefix and no full stop'
  if (NOT_IMPERATIVE.test(subject)) return 'must be imperative: "Add …", not "Added" or "Adds"'
  return undefined
}

/** A shallow clone has only the newest. */
function newSubjects(): string[] {
  const log = (...range: string[]) =>
    execFileSync('git', ['log', '--no-merges', '--format=%s', ...range], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    return log(`${SINCE}..HEAD`).split('\n').filter(Boolean)
  } catch {
    return log('-1').split('\n').filter(Boolean)
  }
}

test('commit subjects are imperative and under 72 characters', () => {
  expect(
    newSubjects().flatMap((subject) => (problemOf(subject) ? [`"${subject}" ${problemOf(subject)}`] : [])),
  ).toEqual([])
})

test.each([
  ['Return the k best hits at any limit', undefined],
  ['Added a test', 'must be imperative: "Add …", not "Added" or "Adds"'],
  ['feat: return hits', 'must begin with a capital'],
  ['Fix: return hits', 'must have no prefix and no full stop'],
  ['Return hits.', 'must have no prefix and no full stop'],
  ['Return '.repeat(11), 'has 77 characters, more than 72'],
])('%j is judged', (subject, problem) => {
  expect(problemOf(subject)).toBe(problem)
})

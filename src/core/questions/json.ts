import { diffJson } from '../render/versions-json.ts'
import type { BisectReport, Break, CheckReport, LostItem } from './model.ts'
import { suggestionsOf } from './suggestions.ts'

export function checkJson({ snapshot, recall, min, passed, expected, found, questions }: CheckReport) {
  return {
    snapshot,
    recall,
    min,
    passed,
    expected,
    found,
    questions: questions.map(({ question, line, k, ...one }) => {
      return { question, line: line ?? null, k: k ?? null, ...one }
    }),
  }
}

export function bisectJson({ snapshot, passed, breaks, unexplained, searches }: BisectReport) {
  return {
    snapshot,
    passed,
    breaks: breaks.map(breakJson),
    unexplained: unexplained.map(({ question, line, kind, value, tried }) => {
      return { question, line: line ?? null, kind, value, tried }
    }),
    searches,
  }
}

function breakJson(one: Break) {
  const { snapshot, before, lost, repeated } = one
  const { id, author, operation, message, createdAt } = snapshot
  return {
    snapshot: { id, author, operation, message, created_at: Math.floor(createdAt / 1000) },
    before,
    repeated,
    lost: lost.map(lostJson),
    suggestions: suggestionsOf(one).map(({ aim, words }) => {
      return { aim, command: words === '' ? null : `remindb ${words}` }
    }),
  }
}

function lostJson({ question, line, kind, value, place, cause }: LostItem) {
  const { kind: why, changes, renamed } = cause
  return {
    question,
    line: line ?? null,
    kind,
    value,
    place,
    cause: { kind: why, changes: changes.map(diffJson), renamed: renamed ?? null },
  }
}

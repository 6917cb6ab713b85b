import { describe, expect, test } from 'vitest'
import type { NodeState } from '../model.ts'
import type { DocumentNodeRow } from '../port/store.ts'
import { createPlan } from '../rows/plan.ts'
import { baseOf, overlayEdit } from './overlay.ts'

const FILE: NodeState = {
  parentKey: 1,
  position: 'a0',
  type: 'text',
  format: 'plain',
  label: 'L',
  digest: 'file',
  links: null,
}
const EDIT: NodeState = { ...FILE, label: null, digest: 'edit' }
const NO_LABEL = { ...FILE, label: null }

function row(state: NodeState, more: Partial<DocumentNodeRow> = {}): DocumentNodeRow {
  return {
    ...state,
    label: 'shown',
    key: 7,
    id: 'x',
    documentId: 1,
    tokens: 1,
    ...{ name: null, mark: 1n, removedIn: null },
    overlay: null,
    ...more,
  }
}
const edited = (base: NodeState | null, more: Partial<DocumentNodeRow> = {}): DocumentNodeRow =>
  row(EDIT, { overlay: { operation: 'write', base }, ...more })

describe('baseOf', () => {
  test("is the state of the node, unless an overlay has the file's version", () => {
    expect(baseOf(row(FILE), FILE)).toBe(FILE)
    expect(baseOf(edited(FILE), EDIT)).toBe(FILE)
    expect(baseOf(edited(null), EDIT)).toBeNull()
    expect(baseOf(row(FILE, { removedIn: 9 }), FILE)).toBeNull()
  })
})

describe('overlayEdit', () => {
  const put = { nodeKey: 7, operation: 'forget', base: NO_LABEL }
  test.each([
    ['a first edit', row(FILE), FILE, EDIT, [put], []],
    ['a removal', row(FILE), FILE, null, [put], []],
    ['a move', row(FILE), FILE, { ...FILE, parentKey: 2 }, [put], []],
    ['another place', row(FILE), FILE, { ...FILE, position: 'a1' }, [put], []],
    ['another type', row(FILE), FILE, { ...FILE, type: 'list' as const }, [put], []],
    ['nothing', row(FILE), FILE, FILE, [], []],
    ['a second edit', edited(FILE), EDIT, { ...EDIT, digest: 'third' }, [put], []],
    ['an edit back to the file', edited(FILE), EDIT, FILE, [], [7]],
    ['a removal of a node that only the memory has', edited(null), EDIT, null, [], [7]],
    [
      'a return of a node that only the memory has',
      row(FILE, { removedIn: 9 }),
      FILE,
      EDIT,
      [{ ...put, base: null }],
      [],
    ],
  ])("records the file's version only if it differs: %s", (_, node, current, next, overlays, settled) => {
    const plan = createPlan()
    overlayEdit(plan, node, { operation: 'forget', current, next })
    expect(plan.overlays).toEqual(overlays)
    expect(plan.removedOverlays).toEqual(settled)
    expect(plan.changes).toEqual([])
  })
})

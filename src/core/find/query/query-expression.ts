import type { Expression } from './query-model.ts'
import type { Operator } from './query-tokens.ts'

/** A term of an expression: the indexes of the units of a piece, an operator, or a bracket. */
export type Term = number[] | Operator | '(' | ')'

/** Maximum nesting of brackets and of the resulting expression: FTS5's parser has room for 33. */
const MAX_DEPTH = 24

/**
 * Adjacent pieces form one group, any of which is enough; NOT binds tightest between groups, then AND, then OR. `AND
 * NOT` is NOT. Undefined if it is not well formed.
 */
export function readExpression(terms: readonly Term[]): Expression | undefined {
  const reader = new Reader(terms)
  const expression = reader.readOr(0)
  const isGood = expression !== undefined && reader.isAtEnd() && depthOf(expression) <= MAX_DEPTH
  return isGood ? expression : undefined
}

/** The expression that `NOT x NOT (y AND z)` excludes. Undefined if the terms contain anything else. */
export function readWithout(terms: readonly Term[]): Expression | undefined {
  const expression = terms[0] === 'NOT' ? readExpression([[EVERYTHING], ...terms]) : undefined
  const parts = expression === undefined ? undefined : leftOut(expression)
  return parts?.length === 1 ? parts[0] : parts && { or: parts }
}

/** The index of a unit that every node has. */
const EVERYTHING = -1

function leftOut(expression: Expression): Expression[] | undefined {
  if (expression === EVERYTHING) return []
  if (typeof expression === 'number' || !('of' in expression)) return undefined
  const before = leftOut(expression.of)
  return before && [...before, expression.without]
}

function depthOf(expression: Expression): number {
  if (typeof expression === 'number') return 0
  return 1 + Math.max(...partsOf(expression).map(depthOf))
}

function partsOf(expression: Exclude<Expression, number>): Expression[] {
  if ('and' in expression) return expression.and
  return 'or' in expression ? expression.or : [expression.of, expression.without]
}

/** The indexes of the wanted units, without excluded ones. */
export function wantedUnits(expression: Expression): number[] {
  if (typeof expression === 'number') return [expression]
  if ('of' in expression) return wantedUnits(expression.of)
  return ('and' in expression ? expression.and : expression.or).flatMap(wantedUnits)
}

class Reader {
  #at = 0
  readonly #terms: readonly Term[]

  constructor(terms: readonly Term[]) {
    this.#terms = terms
  }

  isAtEnd(): boolean {
    return this.#at === this.#terms.length
  }

  readOr(depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined
    const parts: Expression[] = []
    do {
      const part = this.#readAnd(depth)
      if (part === undefined) return undefined
      parts.push(part)
    } while (this.#take('OR'))
    return anyOf(parts)
  }

  #readAnd(depth: number): Expression | undefined {
    const wanted: Expression[] = []
    const unwanted: Expression[] = []
    do {
      const isUnwanted = wanted.length > 0 && this.#take('NOT')
      const part = this.#readNot(depth)
      if (part === undefined) return undefined
      ;(isUnwanted ? unwanted : wanted).push(part)
    } while (this.#take('AND'))
    const and = allOf(wanted)
    return unwanted.length === 0 ? and : { of: and, without: anyOf(unwanted) }
  }

  #readNot(depth: number): Expression | undefined {
    const of = this.#readGroup(depth)
    const unwanted: Expression[] = []
    while (this.#take('NOT')) {
      const without = this.#readGroup(depth)
      if (without === undefined) return undefined
      unwanted.push(without)
    }
    return of === undefined || unwanted.length === 0 ? of : { of, without: anyOf(unwanted) }
  }

  #readGroup(depth: number): Expression | undefined {
    const parts: Expression[] = []
    for (;;) {
      const term = this.#terms[this.#at]
      if (Array.isArray(term)) {
        this.#at++
        parts.push(...term)
      } else if (this.#take('(')) {
        const inner = this.readOr(depth + 1)
        if (inner === undefined || !this.#take(')')) return undefined
        parts.push(inner)
      } else break
    }
    return parts.length === 0 ? undefined : anyOf(parts)
  }

  #take(term: Operator | '(' | ')'): boolean {
    if (this.#terms[this.#at] !== term) return false
    this.#at++
    return true
  }
}

function anyOf(parts: Expression[]): Expression {
  const [first, ...others] = new Set(parts)
  return first !== undefined && others.length === 0 ? first : { or: [...new Set(parts)] }
}

function allOf(parts: Expression[]): Expression {
  const [first, ...others] = new Set(parts)
  return first !== undefined && others.length === 0 ? first : { and: [...new Set(parts)] }
}

/** Checks of untrusted values. Each returns the typed value, or throws `FieldError`. */
export type Check<T> = (value: unknown, name: string) => T
type Checked<C> = C extends Check<infer T> ? T : never

/** Names the invalid field and what it must be; never its value. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

export function whole(min: number, max = Number.MAX_SAFE_INTEGER): Check<number> {
  return (value, name) => {
    if (Number.isSafeInteger(value) && isBetween(value as number, min, max)) return value as number
    throw new FieldError(`${name} must be a whole number from ${min} to ${max}`)
  }
}

/** JSON has no infinity, but 1e999 is parsed as one. */
export function real(min: number, max: number): Check<number> {
  return (value, name) => {
    if (Number.isFinite(value) && isBetween(value as number, min, max)) return value as number
    throw new FieldError(`${name} must be a number from ${min} to ${max}`)
  }
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}

export const flag: Check<boolean> = (value, name) => {
  if (typeof value === 'boolean') return value
  throw new FieldError(`${name} must be true or false`)
}

/** A lone surrogate cannot be stored: it would be read back as something else. */
export const text: Check<string> = (value, name) => {
  if (typeof value === 'string' && value.isWellFormed()) return value
  throw new FieldError(`${name} must be a string without lone surrogates`)
}

export function textThat(isRight: (value: string) => boolean, what: string): Check<string> {
  return (value, name) => {
    if (typeof value === 'string' && value.isWellFormed() && isRight(value)) return value
    throw new FieldError(`${name} must be ${what}`)
  }
}

export function oneOf<const T extends string | number>(values: readonly T[]): Check<T> {
  return (value, name) => {
    if ((values as readonly unknown[]).includes(value)) return value as T
    throw new FieldError(`${name} must be one of ${values.join(', ')}`)
  }
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, name) => (value === null ? null : check(value, name))
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) throw new FieldError(`${name} must be a list`)
    return value.map((item, at) => check(item, `${name}[${at}]`))
  }
}

/** A field that may be missing: then null. For files from before the field existed. */
export function orMissing<T>(check: Check<T>): Check<T | null> {
  return Object.assign(orNull(check), { mayBeMissing: true })
}

/** No door nests this deep. SQLite reads JSON up to 1,000 levels, and recursive code has limited stack. */
const MAX_DEPTH = 100

/** Any JSON object that is not nested too deeply. */
export const json: Check<Record<string, unknown>> = (value, name) => {
  if (!isObject(value)) throw new FieldError(`${name} must be an object`)
  if (isDeeper(value, MAX_DEPTH)) throw new FieldError(`${name} is nested deeper than ${MAX_DEPTH} levels`)
  return value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

/** An object with exactly these fields. */
export function record<S extends Record<string, Check<unknown>>>(
  shape: S,
): Check<{ [K in keyof S]: Checked<S[K]> }> {
  const fields = Object.entries(shape)
  return (value, name) => {
    if (!isObject(value)) throw new FieldError(`${name} must be an object`)
    const result: Record<string, unknown> = {}
    let missing = 0
    for (const [field, check] of fields) {
      const isThere = Object.hasOwn(value, field)
      if (!isThere && !('mayBeMissing' in check)) throw new FieldError(`${name}.${field} is missing`)
      if (!isThere) missing++
      result[field] = isThere ? check(value[field], `${name}.${field}`) : null
    }
    if (Object.keys(value).length > fields.length - missing)
      throw new FieldError(`${name} has an unknown field`)
    return result as { [K in keyof S]: Checked<S[K]> }
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Texts in Python's format: clients of other programs expect these forms. */

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** Characters that Python escapes: controls, formats, surrogates, unassigned ones, and all spaces but one. */
const UNPRINTABLE = /[\\\p{C}\p{Z}]/gu

/** `repr` of a text: in single quotes, or in double quotes if that avoids an escape. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(UNPRINTABLE, escapeUnprintable)
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`
}

function escapeUnprintable(character: string): string {
  if (character === ' ') return character
  const code = character.codePointAt(0) ?? 0
  return ESCAPES[character] ?? hexEscape(code)
}

function hexEscape(code: number): string {
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

type Plain = string | number | boolean | null

/** `json.dumps` of an object of plain values: spaces after separators, ASCII only. */
export function pythonJson(members: Readonly<Record<string, Plain>>): string {
  const pairs = Object.entries(members).map(([name, value]) => `${ascii(name)}: ${ascii(value)}`)
  return `{${pairs.join(', ')}}`
}

function ascii(value: Plain): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

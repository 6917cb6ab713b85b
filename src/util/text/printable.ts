/** Control characters, lone surrogates, line separators, and bidirectional controls: they affect a terminal. */
const CONTROLS = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Except line feeds, CRLF and tabs. */
const CONTROLS_IN_TEXT = new RegExp(`${CONTROLS.source}(?<![\n\t]|\r(?=\n))`, 'gu')
const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** An untrusted text as one line that is safe to print: control characters are spelled out, as in `\x1b[2J`. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escapeCharacter)
}

/** Like `printable`, but keeps line feeds, CRLF and tabs. */
export function printableText(text: string): string {
  return text.replace(CONTROLS_IN_TEXT, escapeCharacter)
}

/** JSON means the same with these characters escaped. `json` must come from `JSON.stringify`. */
export function printableJson(json: string): string {
  return json.replace(CONTROLS, (found) => `\\u${hex(found, 4)}`)
}

function escapeCharacter(character: string): string {
  return NAMED[character] ?? (character <= '\xff' ? `\\x${hex(character, 2)}` : `\\u{${hex(character, 4)}}`)
}

function hex(character: string, digits: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0')
}

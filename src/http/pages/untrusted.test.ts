import { expect, test } from 'vitest'
import { host, name, plainName } from './untrusted.ts'

test('a name is isolated, escaped and cut', () => {
  expect(name('<i>x</i>').text).toBe('<bdi>&lt;i&gt;x&lt;/i&gt;</bdi>')
  expect(plainName('x'.repeat(80))).toBe('x'.repeat(80))
  expect(plainName('x'.repeat(200))).toBe(`${'x'.repeat(79)}…`)
  // Whole characters: half of a pair is not valid text.
  expect(plainName('😀'.repeat(200))).toBe(`${'😀'.repeat(79)}…`)
})

test.each([
  ['a line break', 'Claude\n\n is  safe', 'Claude is safe'],
  ['a control character', 'a\u0000b\u001bc', 'a\\x00b\\x1bc'],
  ['a change of direction', 'safe\u202eelif\u2066', 'safe\\u{202e}elif\\u{2066}'],
  ['invisible characters', 'Cl\u200bau\u00adde\u2060\ufeff\u{e0041}', 'Claude'],
  ['a pile of marks', `a${'\u0489'.repeat(50)}b`, 'a\u0489\u0489\u0489b'],
  ['half of a pair', 'a\ud800b', 'a\\u{d800}b'],
  ['nothing to see', ' \u200b\u3164 ', 'unnamed'],
])('a name with %s is harmless', (_what, text, shown) => {
  expect(plainName(text)).toBe(shown)
})

test.each(['نیم‌فاصله', 'हिन्दी', '👩‍💻', 'été', 'עברית', '日本語'])(
  'the name %s is shown as it is',
  (text) => {
    expect(plainName(text)).toBe(text)
  },
)

test('a long host keeps its end, which says whom it belongs to', () => {
  const shown = host(`claude.ai.${'a.'.repeat(300)}evil.example`).text
  expect(shown).toMatch(/^<bdi class="host">claude\.ai\..*…(?:\.|a)*\.evil\.example<\/bdi>$/)
  expect(shown.length).toBeLessThan(300)
})

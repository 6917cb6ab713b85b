import { describe, expect, test } from 'vitest'
import { DARK, LIGHT, type Palette } from './palette.ts'
import { STYLE } from './style.ts'

/** WCAG 2.2: relative luminance and contrast ratio. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

const TEXTS: [keyof Palette, (keyof Palette)[]][] = [
  ['text', ['ground', 'card', 'inset']],
  ['quiet', ['ground', 'card', 'inset']],
  ['accent', ['ground', 'card']],
  ['danger', ['card', 'inset', 'dangerGround']],
  ['caution', ['cautionGround']],
  ['good', ['goodGround']],
  ['buttonText', ['button', 'buttonHover']],
]
const CONTROLS: [keyof Palette, (keyof Palette)[]][] = [
  ['control', ['card', 'ground']],
  ['accent', ['ground', 'card', 'inset']],
  ['button', ['card']],
]

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('in the %s', (_name, palette) => {
  test.each(TEXTS)('%s can be read on %j', (text, grounds) => {
    for (const ground of grounds) expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5)
  })

  test.each(CONTROLS)('the edge of a %s can be seen on %j', (edge, grounds) => {
    for (const ground of grounds) expect(contrast(palette[edge], palette[ground])).toBeGreaterThanOrEqual(3)
  })
})

test('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('the style has no colours but those of the palette and shadows, and loads nothing', () => {
  const rules = STYLE.split('\n')
    .filter((line) => !line.includes(':root'))
    .join('\n')
  expect(rules.match(/#[0-9a-f]{3,8}\b/g)?.every((color) => color.startsWith('#000000'))).toBe(true)
  expect(rules).not.toMatch(/url\(|@import|@font-face|opacity/)
})

test('the style refers to no variable that the palette lacks', () => {
  const used = [...STYLE.matchAll(/var\(--(\w+)\)/g)].map(([, name]) => name)
  expect(used.filter((name) => !((name as string) in LIGHT))).toEqual([])
})

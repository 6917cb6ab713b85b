import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { indexedPng } from './indexed-png.ts'

/** How each page is shown: a desk in the light and in the dark, and a phone. */
export const VIEWS = [
  { suffix: '', width: 960, height: 700, colorScheme: 'light' },
  { suffix: '-dark', width: 960, height: 700, colorScheme: 'dark' },
  { suffix: '-phone', width: 360, height: 700, colorScheme: 'light' },
] as const

/** For Chromium: painting in parts leaves pixels that differ from one run to the next. */
export const REPEATABLE = ['--disable-partial-raster']

/** Writes what `page` shows now to `NAME.png`, `NAME-dark.png` and `NAME-phone.png`. */
export async function takeScreenshots(page: Page, folder: string, name: string): Promise<void> {
  for (const { suffix, width, height, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const png = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
    writeFileSync(join(folder, `${name}${suffix}.png`), indexedPng(png))
  }
}

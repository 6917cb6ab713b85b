import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { indexedPng } from './indexed-png.ts'

/** How a page is shown: on a desk in the light and in the dark, and on a phone. */
const DESK = [
  { suffix: '', width: 960, height: 640, colorScheme: 'light' },
  { suffix: '-dark', width: 960, height: 640, colorScheme: 'dark' },
] as const
const PHONE = { suffix: '-phone', width: 360, height: 640, colorScheme: 'light' } as const

/** Writes what `page` shows now to `NAME.png` and `NAME-dark.png`, and to `NAME-phone.png` if asked to. */
export async function takeScreenshots(
  page: Page,
  folder: string,
  name: string,
  { hasPhone = false }: { hasPhone?: boolean } = {},
): Promise<void> {
  for (const { suffix, width, height, colorScheme } of hasPhone ? [...DESK, PHONE] : DESK) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const png = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
    writeFileSync(join(folder, `${name}${suffix}.png`), indexedPng(png))
  }
}

import { type Html, html } from './html.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day of UTC, such as `3 Nov 2026`; the exact time is for programs. */
export function time(milliseconds: number): Html {
  const date = new Date(milliseconds)
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  return html`<time datetime="${date.toISOString()}">${day}</time>`
}

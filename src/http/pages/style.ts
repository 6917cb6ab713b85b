import { DARK, LIGHT, type Palette } from './palette.ts'

/** The one style of every page. */
export const STYLE = `
:root { color-scheme: light dark; ${variables(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${variables(DARK)} } }
*, ::before, ::after { box-sizing: border-box; }
html { text-size-adjust: 100%; }
body { margin: 0; padding: 0 1rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
h1, h2, h3, p, ul, dl, dd, pre, fieldset, legend { margin: 0; padding: 0; }
ul { list-style: none; }
fieldset { min-width: 0; border: 0; }
a { color: var(--accent); text-underline-offset: 0.2em; }
bdi { overflow-wrap: anywhere; }
.host { display: inline-block; max-width: 100%; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.top, main, .below { max-width: 24rem; margin: 0 auto; }
.medium .top, .medium main, .medium .below { max-width: 29rem; }
.wide .top, .wide main, .wide .below { max-width: 46rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 0.25rem 1rem; padding: clamp(1.5rem, 9vh, 5rem) 0 1.5rem; }
.wide .top { justify-content: space-between; padding: 1.25rem 0 2rem; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; font-size: 1.0625rem; font-weight: 650; letter-spacing: -0.01em; }
.mark { width: 1.375rem; height: 1.375rem; }
main:last-child { padding-bottom: 3rem; }
.below { display: grid; gap: 0.5rem; padding: 1.25rem 0 3rem; font-size: 0.875rem; color: var(--quiet); text-align: center; text-wrap: balance; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 2px #00000008, 0 10px 30px #0000000a; }
.padded { padding: clamp(1.25rem, 6.5vw, 2rem); }
h1 { font-size: 1.375rem; font-weight: 650; line-height: 1.3; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1rem; font-weight: 650; }
h3 { font-size: 0.9375rem; font-weight: 600; }
h3 small { font-weight: normal; color: var(--quiet); }
.lead { margin-top: 0.5rem; color: var(--quiet); text-wrap: balance; }
.said { margin-top: 0.75rem; text-wrap: pretty; }
.lead bdi, .lead b { color: var(--text); }
.quiet { color: var(--quiet); }
.small { font-size: 0.875rem; }
.nowrap { white-space: nowrap; }
pre { padding: 0.75rem 0.875rem; background: var(--inset); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
code, pre { font: 0.875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.wide pre { background: var(--card); }
.wide .card pre { background: var(--inset); }
.copy { user-select: all; }

form.fields { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; margin-top: 1.5rem; }
label, legend, .label { display: block; font-size: 0.875rem; font-weight: 600; }
.hint { margin-top: 0.375rem; font-size: 0.875rem; font-weight: normal; color: var(--quiet); }
input[type="text"], input[type="password"], select { display: block; width: 100%; min-height: 2.75rem; margin-top: 0.375rem; padding: 0.5rem 0.75rem; color: inherit; background: var(--card); border: 1px solid var(--control); border-radius: 8px; font: inherit; }
input.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.875rem; }
input[aria-invalid="true"] { border-color: var(--danger); }
input:focus-visible, select:focus-visible { border-color: var(--accent); outline-offset: -1px; }
input[type="checkbox"] { flex: none; width: 1.125rem; height: 1.125rem; margin: 0.125rem 0 0; accent-color: var(--accent); }

button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.125rem; color: var(--text); background: var(--card); border: 1px solid var(--control); border-radius: 8px; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--inset); }
.primary { color: var(--buttonText); background: var(--button); border-color: var(--button); }
.primary:hover { background: var(--buttonHover); border-color: var(--buttonHover); }
.plain { display: inline; min-height: 0; padding: 0.25rem; color: inherit; background: none; border: 0; font-weight: inherit; text-decoration: underline; text-underline-offset: 0.2em; }
.plain:hover { color: var(--text); background: none; }

.notice { padding: 0.75rem 0.875rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px; font-size: 0.875rem; text-wrap: pretty; }
.error { color: var(--danger); background: var(--dangerGround); }
.caution { color: var(--caution); background: var(--cautionGround); }
.good { color: var(--good); background: var(--goodGround); }

.tiles { display: flex; align-items: center; gap: 0.625rem; margin-bottom: 1.25rem; color: var(--quiet); }
.tile { display: grid; flex: none; place-items: center; width: 2.75rem; height: 2.75rem; color: var(--text); background: var(--inset); border: 1px solid var(--line); border-radius: 11px; font-size: 1.125rem; font-weight: 650; line-height: 1; }
.rows { border: 1px solid var(--line); border-radius: 10px; }
.row { display: flex; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.75rem 0.875rem; font-weight: normal; }
.row + .row { border-top: 1px solid var(--line); }
.row > .label, .row > label { flex: none; }
.row select { flex: 0 1 12rem; width: 12rem; min-width: 0; margin: 0; }
.row > b { min-width: 0; font-weight: 600; text-align: end; }
legend { margin-bottom: 0.5rem; }
label.row { align-items: flex-start; justify-content: flex-start; gap: 0.75rem; cursor: pointer; }
label.row b { display: block; font-weight: 600; }
label.row .hint { display: block; margin: 0; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; }

.grant { display: grid; grid-template-columns: auto 1fr auto; gap: 0.25rem 1rem; align-items: start; padding: 1.25rem clamp(1rem, 4vw, 1.5rem); }
.grant + .grant { border-top: 1px solid var(--line); }
.grant dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); grid-column: 2 / -1; gap: 0.75rem 1rem; margin-top: 0.75rem; font-size: 0.875rem; }
.grant dt { color: var(--quiet); }
.grant form { grid-row: 1; grid-column: 3; }
.grant button { min-height: 2.5rem; padding: 0.25rem 0.875rem; color: var(--danger); font-size: 0.875rem; }
.section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; margin-top: 2.5rem; }
.lead + .section { margin-top: 1.5rem; }
.section.card { margin-top: 0.75rem; }
.section h3 { margin-top: 0.75rem; }

@media (max-width: 30rem) {
  .grant { grid-template-columns: auto 1fr; }
  .grant dl { grid-column: 1 / -1; }
  .grant form { grid-row: auto; grid-column: 1 / -1; margin-top: 0.75rem; }
  .grant button { width: 100%; min-height: 2.75rem; }
}
@media (max-width: 22rem) {
  .row { flex-wrap: wrap; }
  label.row { flex-wrap: nowrap; }
}
`

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ')
}

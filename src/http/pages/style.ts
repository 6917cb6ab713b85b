import { DARK, LIGHT, type Palette } from './palette.ts'

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ')
}

/** The one style of every page. */
export const STYLE = `
:root { color-scheme: light dark; ${variables(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${variables(DARK)} } }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; padding: 0 1rem; min-height: 100vh; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
h1, h2, h3, p, ul, dl, dd, fieldset, legend { margin: 0; padding: 0; }
ul { list-style: none; }
fieldset { border: 0; min-width: 0; }
a { color: var(--accent); text-underline-offset: 0.2em; }
bdi { overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; margin: 0 auto; padding: 1.25rem 0; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; font-weight: 650; letter-spacing: -0.01em; }
.mark { width: 1.5rem; height: 1.5rem; }
main { margin: 0 auto; }
.narrow main, .narrow .top { max-width: 25rem; }
.medium main, .medium .top { max-width: 30rem; }
.wide main, .wide .top { max-width: 46rem; }
.narrow .top, .medium .top { justify-content: center; padding-top: clamp(1.25rem, 9vh, 5rem); }
main { padding-bottom: 3rem; }

.card { padding: clamp(1.25rem, 6vw, 2rem); background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 2px #0000000a, 0 8px 24px #0000000a; }
h1 { font-size: 1.375rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1rem; font-weight: 650; }
.lead { margin-top: 0.5rem; color: var(--quiet); text-wrap: pretty; }
.quiet { color: var(--quiet); }
.small { font-size: 0.875rem; }
.stack { display: grid; gap: 1.25rem; margin-top: 1.5rem; }

label, legend, .label { display: block; font-size: 0.875rem; font-weight: 600; }
.hint { margin-top: 0.375rem; font-size: 0.875rem; color: var(--quiet); }
input[type="text"], input[type="password"], select { display: block; width: 100%; min-height: 2.75rem; margin-top: 0.375rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--control); border-radius: 8px; }
input[aria-invalid="true"] { border-color: var(--danger); }
input:focus-visible, select:focus-visible { outline-offset: 0; border-color: var(--accent); }
input[type="checkbox"] { flex: none; width: 1.125rem; height: 1.125rem; margin: 0.1875rem 0 0; accent-color: var(--accent); }

button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.125rem; font: inherit; font-weight: 600; text-decoration: none; color: var(--text); background: var(--card); border: 1px solid var(--control); border-radius: 8px; cursor: pointer; }
button:hover, .button:hover { background: var(--inset); }
.primary { color: var(--buttonText); background: var(--button); border-color: var(--button); }
.primary:hover { background: var(--buttonHover); border-color: var(--buttonHover); }
.plain { min-height: 1.5rem; padding: 0; font-weight: inherit; color: inherit; background: none; border: 0; border-radius: 2px; text-decoration: underline; text-underline-offset: 0.2em; }
.plain:hover { background: none; color: var(--text); }
.revoke { min-height: 2.25rem; padding: 0.25rem 0.875rem; font-size: 0.875rem; color: var(--danger); }

.notice { padding: 0.75rem 0.875rem; font-size: 0.875rem; border: 1px solid; border-radius: 8px; }
.error { color: var(--danger); background: var(--dangerGround); }
.caution { color: var(--caution); background: var(--cautionGround); }
.good { color: var(--good); background: var(--goodGround); }
`

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { ROOT } from './support/docs.ts'
import { noteFolder } from './support/mcp.ts'

const PROGRAM = '#!/bin/sh\n'
/** Stands in for the real one, which would install on the machine that runs the tests. */
const aptGet = (body: string) => `#!/bin/sh\ncd "\${0%/*}" || exit\necho "$1" >> calls\n${body}\n`
const INSTALLS = 'printf "#!/bin/sh\\n" > chromium && /bin/chmod +x chromium'

function machine(programs: Record<string, string>) {
  const folder = noteFolder(programs)
  for (const name of Object.keys(programs)) chmodSync(join(folder, name), 0o755)
  return {
    folder,
    calls: () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : ''),
    find({ isRoot = true, chromePath = '' } = {}) {
      const env = { PATH: folder, CHROME_PATH: chromePath }
      const script = `import { ensureChromium } from ${JSON.stringify(pathToFileURL(join(ROOT, 'scripts/chromium.mjs')).href)}
import { runScript } from ${JSON.stringify(pathToFileURL(join(ROOT, 'scripts/setup.mjs')).href)}
const options = ${JSON.stringify({ env, isRoot, homes: [], root: folder })}
await runScript(async () => console.log(await ensureChromium(options)))`
      const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
      return { path: run.stdout.trim(), said: run.stderr, code: run.status }
    },
  }
}

test('takes the browser that is there', () => {
  const { folder, find, calls } = machine({ 'google-chrome': PROGRAM, 'apt-get': aptGet(INSTALLS) })
  expect(find()).toEqual({ path: join(folder, 'google-chrome'), said: '', code: 0 })
  expect(calls()).toBe('')
})

test('takes the one that CHROME_PATH names, and no other when there is none', () => {
  const { folder, find } = machine({ chromium: PROGRAM, mine: PROGRAM })
  expect(find({ chromePath: join(folder, 'mine') }).path).toBe(join(folder, 'mine'))
  expect(find({ chromePath: join(folder, 'none') })).toMatchObject({
    code: 1,
    said: 'CHROME_PATH names no program; set it to a Chromium, or unset it\n',
  })
})

test('installs one where there is none', () => {
  const { folder, find, calls } = machine({ 'apt-get': aptGet(INSTALLS) })
  expect(find()).toEqual({ path: join(folder, 'chromium'), said: 'installing Chromium…\n', code: 0 })
  expect(calls()).toBe('install\n')
})

test('fetches the lists of packages when the package is not known', () => {
  const { find, calls } = machine({
    'apt-get': aptGet(`case "$1" in update) : > lists ;; *) [ -f lists ] && ${INSTALLS} ;; esac`),
  })
  expect(find().code).toBe(0)
  expect(calls()).toBe('install\nupdate\ninstall\n')
})

test('says why the installation failed, and how to get one', () => {
  const { find } = machine({ 'apt-get': aptGet('echo "E: no network" >&2; exit 100') })
  const { code, said } = find()
  expect(code).toBe(1)
  expect(said).toMatch(/E: no network\n.*apt-get did not install Chromium: .*apt-get install chromium/s)
})

test.each([
  ['without the rights', { 'apt-get': aptGet(INSTALLS) }, false],
  ['on a system without apt-get', { other: PROGRAM }, true],
])('says how to get one %s', (_where, programs, isRoot) => {
  const { find, calls } = machine(programs as Record<string, string>)
  expect(find({ isRoot })).toEqual({
    path: '',
    code: 1,
    said: 'there is no Chromium here; install Chromium or Chrome (Debian: apt-get install chromium), or set CHROME_PATH to the one you have, then try again\n',
  })
  expect(calls()).toBe('')
})

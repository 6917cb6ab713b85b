// npm start [folder] [-- flags]: serves a folder (the project's own docs by default) over HTTP, until Ctrl-C.
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SetupError } from './report.mjs'
import { ensureStartable, projectNode, ROOT, runInstead, runScript } from './setup.mjs'

/** npm keeps flags for itself, and passes on only their values. */
const TOO_MANY = 'npm start takes one folder. Flags stand behind --, as in: npm start notes -- --tools all'

await runScript(async () => {
  await ensureStartable()
  const cwd = process.env.INIT_CWD || process.cwd()
  const command = [join(ROOT, 'bin', 'remindb'), ...commandFor(process.argv.slice(2), cwd)]
  return runInstead(projectNode(), command, { cwd })
})

/** The folder comes first; when the first argument is a flag, there is none. */
function commandFor(args, cwd) {
  if (args.includes('--help') || args.includes('-h')) return ['serve', ...args]
  if (isWord(args[0]) && isWord(args[1])) throw new SetupError(TOO_MANY)
  const [folder, ...flags] = isWord(args[0]) ? args : [defaultFolder(cwd), ...args]
  return ['serve', '--transport', 'http', '--source', folder, ...ownMemory(folder, flags, cwd), ...flags]
}

function isWord(arg) {
  return arg?.startsWith('-') === false
}

/** A folder's own memory, whatever the environment or a folder above says; `--db` still has the last word. */
function ownMemory(folder, flags, cwd) {
  const isFolder = statSync(resolve(cwd, folder), { throwIfNoEntry: false })?.isDirectory()
  return isFolder && !flags.some((flag) => /^--db(=|$)/.test(flag)) ? ['--db', folder] : []
}

function defaultFolder(cwd) {
  return cwd === ROOT ? 'docs' : join(ROOT, 'docs')
}

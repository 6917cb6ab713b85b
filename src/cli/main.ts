import { createInput } from '../util/terminal/input.ts'
import { createOutput } from '../util/terminal/output.ts'
import { runProgram } from './program.ts'

// No `await`: the build is CommonJS.
void runProgram({
  argv: process.argv.slice(2),
  script: process.argv[1] ?? 'remindb',
  cwd: process.cwd(),
  in: createInput(() => process.stdin),
  out: createOutput(process.stdout),
  err: createOutput(process.stderr),
}).then((code) => {
  process.exitCode = code
})

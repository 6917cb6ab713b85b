import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compileJson } from '../../core/compile/compile-json.ts'
import { compiledLines, skippedLine } from '../../core/compile/compile-text.ts'
import type { CompileOptions, CompileResult } from '../../runtime/compile/compile-path.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import { cloudWarning, findCloudService } from '../../runtime/places/cloud-folder.ts'
import { untilClosed, writeLines, writePieces } from '../../util/terminal/output.ts'
import { createProgress } from '../../util/terminal/progress.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { type Context, defineCommand } from '../base/command.ts'
import { barState } from '../base/compile-bar.ts'
import { chooseDatabaseFor, openNewFor } from '../base/databases.ts'
import { interruptible } from '../base/interrupt.ts'
import { commandFor, shortestPath } from '../base/invocation.ts'
import { nextLines, overviewLines, type WhatIsThere } from '../layout/overview.ts'

export const command = defineCommand({
  parameters: { path: { kind: 'text', help: 'The folder or file to compile' } },
  flags: {
    message: {
      kind: 'text',
      short: 'm',
      value: 'TEXT',
      help: 'The message of the snapshot. Default: compile:<path>',
    },
    strict: { kind: 'switch', help: 'Fail (exit 1) when a file had to be skipped; the others are compiled' },
    'reseed-temperatures': {
      kind: 'switch',
      help: 'Set the heat of every node of these files from .remindb/temperatures.json',
    },
    overview: { kind: 'switch', help: 'Also show the content of the memory, and the next steps' },
    json: { kind: 'switch', help: 'Print JSON' },
    'max-node-tokens': { kind: 'setting', value: 'N', setting: 'compile.max_node_tokens' },
    'max-file-size': { kind: 'setting', value: 'SIZE', setting: 'compile.max_file_size' },
    timeout: { kind: 'setting', value: 'TIME', setting: 'compile.wall_clock_timeout' },
    author: { kind: 'setting', value: 'NAME', setting: 'author' },
  },
  examples: [
    'remindb compile docs',
    'remindb compile docs/plan.md -m "plan for spring"',
    'remindb compile notes --db team.db --strict --json',
  ],

  async run(context, { parameters: { path }, flags }) {
    const choice = await chooseDatabaseFor(path, context)
    const notRemembered: unknown[] = []
    const onNotRemembered = (error: unknown): void => void notRemembered.push(error)
    const settings = {
      author: flags.author,
      'compile.max_node_tokens': flags['max-node-tokens'],
      'compile.max_file_size': flags['max-file-size'],
      'compile.wall_clock_timeout': flags.timeout,
    }
    return openNewFor(context, choice, { flags: settings, onNotRemembered }, async (memory) => {
      const result = await compileWithProgress(memory, path, {
        ...(flags.message === undefined ? {} : { message: flags.message }),
        reseedTemperatures: flags['reseed-temperatures'],
      })
      const notFinished = await finishErasures(memory)
      const there = flags.overview
        ? await lookAround(memory)
        : flags.json
          ? undefined
          : await lookAtNew(memory, result).catch(() => undefined)
      const json = () =>
        writePieces(
          context.out,
          jsonPieces({ db_path: memory.path, ...compileJson(result), overview: there?.overview }),
        )
      await untilClosed(flags.json ? json() : print(context, memory, result, there))
      const complaints = complaintsOf(context, path, result)
      const service = findCloudService(memory.path)
      if (service !== undefined) complaints.push(`remindb: ${cloudWarning(service)}`)
      complaints.push(...notRemembered.map((error) => `remindb: ${printable((error as Error).message)}`))
      if (notFinished !== undefined)
        complaints.push(
          `remindb: compiled, but pending erasures were not finished: ${printable(notFinished)}`,
        )
      if (flags.strict && result.skipped.length > 0)
        complaints.push(`remindb: ${plural(result.skipped.length, 'file')} skipped, and --strict is on`)
      await writeLines(context.err, complaints)
      return isRefusal(path, context, result) || (flags.strict && result.skipped.length > 0) ? 1 : 0
    })
  },
})

async function compileWithProgress(
  memory: Memory,
  path: string,
  options: CompileOptions,
): Promise<CompileResult> {
  const bar = createProgress({ stream: process.stderr, now: () => performance.now() })
  try {
    return await interruptible('nothing was stored', (signal) =>
      memory.compile(path, {
        signal,
        ...options,
        onProgress: (progress) => bar.update(barState(progress)),
      }),
    )
  } finally {
    bar.finish()
  }
}

/**
 * Without a server, this is the next writer: it overwrites the remains of an interrupted erasure on disk. The files are already stored,
 * so a failure is reported and does not fail the compile.
 */
async function finishErasures(memory: Memory): Promise<string | undefined> {
  try {
    await memory.scrub({ wait: false })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function lookAround(memory: Memory): Promise<WhatIsThere> {
  const [overview, look] = await Promise.all([memory.overview(), memory.firstLook({ warm: false })])
  return { overview, look }
}

/** After a first compile of more than a short outline. It was not asked for, so it may fail silently. */
async function lookAtNew(memory: Memory, { added, total }: CompileResult): Promise<WhatIsThere | undefined> {
  const mayBeFirst = added > 0 && added === total
  const there = mayBeFirst ? await lookAround(memory) : undefined
  return there?.overview.snapshots.count === 1 && there.look.kind === 'map' ? there : undefined
}

async function print(
  context: Context,
  memory: Memory,
  result: CompileResult,
  there: WhatIsThere | undefined,
): Promise<void> {
  const toCommand = commandFor(context, memory.path)
  const historyOf = (id: string): string => `\`${toCommand(`history ${id}`)}\``
  await writeLines(context.out, compiledLines(result, { historyOf, palette: context.palette }))
  if (!there) return
  await writeLines(context.out, overviewLines(there, context))
  await writeLines(context.out, nextLines(there, toCommand, context.palette))
}

function complaintsOf(context: Context, path: string, result: CompileResult): string[] {
  const { root, skipped, warnings } = result
  const lines = [...skipped, ...warnings].map((file) =>
    skippedLine({ ...file, path: shortestPath(context.cwd, join(root, file.path)) }),
  )
  if (isRefusal(path, context, result))
    lines.push(`remindb: ${printable(path)} is not of a kind that can be compiled`)
  else if (result.files.seen + result.skipped.length + result.total === 0)
    lines.push(`remindb: there is no file in ${printable(path)} that can be compiled`)
  return lines
}

/** A file that was named and yet not looked at. */
function isRefusal(path: string, { cwd }: Context, { files, skipped }: CompileResult): boolean {
  return files.seen + skipped.length === 0 && !isFolder(resolve(cwd, path))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

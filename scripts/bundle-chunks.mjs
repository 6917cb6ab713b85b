// Which part of the program a module goes into. Every file that is read before the first answer costs a third of a millisecond
// or more, so what `serve` needs until then is in two files: one that other commands share, and one that they never load.
import { join } from 'node:path'

const MAIN = 'src/cli/main.ts'
const SERVE = 'src/cli/commands/serve.ts'
const COMMANDS = 'src/cli/command-modules.ts'
const ENGINE = 'src/runtime/open-memory.ts'

/** Groups for the bundler; a module goes into the first that has it. What is in none of them is divided by who needs it. */
export function chunkOf(root) {
  let sets
  const inSet = (name) => ({
    debugName: name,
    name(id, context) {
      sets ??= chunkSets(root, (module) => context.getModuleInfo(module))
      return sets[name].has(id) ? name : null
    },
  })
  // Each set has whatever its modules import, or an earlier one has it: no two files need each other.
  return ['shared', 'serve', 'engine'].map((name, index) => ({
    ...inSet(name),
    priority: 3 - index,
  }))
}

function chunkSets(root, getModuleInfo) {
  const path = (file) => join(root, file)
  const imported = (file) => reach(path(file), (id) => getModuleInfo(id)?.importedIds ?? [])
  const commands = reach(path(COMMANDS), (id) => {
    const { importedIds = [], dynamicallyImportedIds = [] } = getModuleInfo(id) ?? {}
    return [...importedIds, ...dynamicallyImportedIds.filter((later) => later !== path(SERVE))]
  })
  const serve = imported(SERVE)
  const shared = new Set([...imported(MAIN), ...[...serve].filter((id) => commands.has(id))])
  // It waits for the command it loads, which would wait for it.
  shared.delete(path(MAIN))
  return { shared, serve, engine: imported(ENGINE) }
}

function reach(start, next, found = new Set()) {
  if (found.has(start)) return found
  found.add(start)
  for (const id of next(start)) reach(id, next, found)
  return found
}

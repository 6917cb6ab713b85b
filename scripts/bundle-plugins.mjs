// What the bundler is told so that the program starts fast. Neither changes what the program does.
import { SetupError } from './report.mjs'

const SCHEMA_FILES = /@modelcontextprotocol\/core\/dist\/(?:schemas|auth)-[^/]+\.mjs$/
const LIST_FILE = /@modelcontextprotocol\/server\/dist\/src-[^/]+\.mjs$/
/** A schema from the first column to the semicolon that ends it. */
const SCHEMA = /^const (\w+Schema) = ((?:.*|.*\n(?:[\t ].*\n)*[\]})].*));$/gm
/** Puts every schema into `isSpecType` and `specTypeSchemas`, which stay empty without it: nobody here may use them. */
const LISTING = /^for \(const (?:key|\[key, schema\]) of .*\bregister\(.*;$/gm
const BUILTIN_IMPORT = /^import \{ ([^}]+) \} from "(node:[^"]+)";$/

/**
 * The SDK makes some 180 schemas when it is loaded, of which a server uses 40: a tenth of the time until the first answer.
 * They are marked as without effect, so that those nobody uses are left out. `test/build.test.ts` tells when the SDK has changed.
 */
export function leanSchemas() {
  return {
    name: 'lean-schemas',
    transform(code, id) {
      if (SCHEMA_FILES.test(id))
        return replaceSome(
          id,
          code,
          SCHEMA,
          (_, name, made) => `const ${name} = /* @__PURE__ */ (() => ${made})();`,
        )
      return LIST_FILE.test(id) ? replaceSome(id, code, LISTING, () => '') : undefined
    },
  }
}

/**
 * An import from `node:fs` makes Node load everything it could export, streams and promises too: milliseconds. Asked for as
 * an object, it is just there. (`bin/remindb` sees to it that the function exists.)
 */
export function plainBuiltins() {
  return {
    name: 'plain-builtins',
    renderChunk(code) {
      const lines = code.split('\n')
      const end = lines.findIndex((line) => line !== '' && !/^(?:import|\/\/)/.test(line))
      const head = lines.slice(0, end).map((line) => line.replace(BUILTIN_IMPORT, plainImport))
      return [...head, ...lines.slice(end)].join('\n')
    },
  }
}

function plainImport(_, names, module) {
  return `const { ${names.replaceAll(' as ', ': ')} } = process.getBuiltinModule("${module}");`
}

function replaceSome(id, code, pattern, replacement) {
  const replaced = code.replace(pattern, replacement)
  if (replaced !== code) return replaced
  throw new SetupError(`${id} has changed: see leanSchemas in scripts/bundle-plugins.mjs`)
}

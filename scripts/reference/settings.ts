import { type Setting, showSetting } from '../../src/runtime/settings/setting-values.ts'
import { SETTINGS } from '../../src/runtime/settings/settings.ts'
import { code, type GeneratedTable } from './table.ts'

const settings: readonly Setting[] = SETTINGS

/** A value that every bound of a folder refuses: the refusal says what it may be. */
const TOO_COSTLY = [{ kind: 'x', pattern: 'a'.repeat(1000) }]

export function settingTables(): GeneratedTable[] {
  return [boundedTable(), ...settings.map(factsTable)]
}

function factsTable({ name, flag, env, default: value, parse }: Setting): GeneratedTable {
  const refusal = parse({})
  const allowed = 'refused' in refusal ? refusal.refused : ''
  return {
    heading: name,
    columns: ['flag', 'environment', 'default', 'allowed'],
    rows: [[flag ? code(`--${flag}`) : 'none', code(env), code(showSetting(value)), allowed]],
  }
}

function boundedTable(): GeneratedTable {
  return {
    heading: 'What a folder may set',
    columns: ['project setting', 'in a folder'],
    rows: settings.flatMap(({ name, inFolder }) => {
      const refusal = inFolder?.(name === 'redaction.custom' ? TOO_COSTLY : {}, '')
      return refusal && 'refused' in refusal ? [[code(name), refusal.refused]] : []
    }),
  }
}

import type { RedactionSettings } from '../../ingest/redact/redactor.ts'
import type { Config } from './config.ts'

export { createRedactor } from '../../ingest/redact/redactor.ts'

/** The settings about secrets. */
export function redactionSettings(config: Config): RedactionSettings {
  return {
    disableBuiltinKinds: config['redaction.disable_builtin_kinds'],
    custom: config['redaction.custom'],
  }
}

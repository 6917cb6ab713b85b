import type { TextLimit } from '../../core/doors/text-limit.ts'
import type { Config } from './config.ts'
import { sizeBytes } from './setting-values.ts'

/** Of a file of the files door. */
export function fileLimitOf(config: Config): TextLimit {
  return limitOf(config, 'files.max_file_bytes')
}

/** For the input of one write to the tree. */
export function noteLimitOf(config: Config): TextLimit {
  return limitOf(config, 'notes.max_bytes')
}

function limitOf(config: Config, setting: 'files.max_file_bytes' | 'notes.max_bytes'): TextLimit {
  return { maxBytes: sizeBytes(config[setting]), setting }
}

import type { ArchivePolicy } from '../../core/records/archive.ts'
import type { CustomView } from '../../core/records/custom-view.ts'
import type { RecordLimits, Room } from '../../core/records/limits.ts'
import type { Config } from './config.ts'
import { type SettingValue, sizeBytes } from './setting-values.ts'

/** The settings of records, as the parts of the program use them. */
export interface RecordSettings {
  limits: RecordLimits
  /** Null: nothing is archived automatically. */
  archival: ArchivePolicy | null
  views: readonly CustomView[]
}

export function recordSettingsOf(config: Config): RecordSettings {
  return {
    limits: recordLimitsOf(config),
    archival: config['records.archival']
      ? {
          days: {
            learning: config['records.archive_learnings_days'],
            task: config['records.archive_tasks_days'],
          },
        }
      : null,
    views: config['records.views'],
  }
}

function recordLimitsOf(config: Config): RecordLimits {
  return {
    maxContent: config['records.max_content'],
    maxTags: config['records.max_tags'],
    room: {
      core: roomOf(config['records.max_core'], config['records.max_core_size']),
      learning: roomOf(config['records.max_learnings'], config['records.max_learnings_size']),
      task: roomOf(config['records.max_tasks'], config['records.max_tasks_size']),
    },
  }
}

function roomOf(count: SettingValue, bytes: SettingValue): Room {
  return {
    count: count === 'none' ? null : (count as number),
    bytes: bytes === 'none' ? null : sizeBytes(bytes),
  }
}

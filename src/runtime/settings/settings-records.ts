import { type CustomView, problemOfViews, VIEW_EXAMPLE } from '../../core/records/custom-view.ts'
import { either, flag, integer, jsonOf, type ParseSetting, type Setting, size } from './setting-values.ts'

const MAX_RECORDS = 1_000_000_000

/** Limits and archiving of records. Part of `SETTINGS`. */
export const RECORD_SETTINGS = [
  {
    name: 'records.max_content',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_CONTENT',
    default: 5000,
    scope: 'operator',
    help: 'The maximum number of characters in a record',
    parse: integer(1, 1_000_000),
  },
  {
    name: 'records.max_tags',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_TAGS',
    default: 10,
    scope: 'operator',
    help: 'The maximum number of tags of a record',
    parse: integer(1, 100),
  },
  {
    name: 'records.max_core',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_CORE',
    default: 1000,
    scope: 'operator',
    help: 'The maximum number of core records; more are refused',
    parse: either('none', integer(1, MAX_RECORDS)),
  },
  {
    name: 'records.max_core_size',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_CORE_SIZE',
    default: '10MB',
    scope: 'operator',
    help: 'The maximum size of all core records together; more is refused',
    parse: either('none', size()),
  },
  {
    name: 'records.max_learnings',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_LEARNINGS',
    default: 500,
    scope: 'operator',
    help: 'The maximum number of learnings; beyond it, the least recently accessed are archived',
    parse: either('none', integer(1, MAX_RECORDS)),
  },
  {
    name: 'records.max_learnings_size',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_LEARNINGS_SIZE',
    default: '5MB',
    scope: 'operator',
    help: 'The maximum size of all learnings together; beyond it, the least recently accessed are archived',
    parse: either('none', size()),
  },
  {
    name: 'records.max_tasks',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_TASKS',
    default: 200,
    scope: 'operator',
    help: 'The maximum number of tasks; beyond it, those completed first are archived',
    parse: either('none', integer(1, MAX_RECORDS)),
  },
  {
    name: 'records.max_tasks_size',
    flag: null,
    env: 'REMINDB_RECORDS_MAX_TASKS_SIZE',
    default: '2MB',
    scope: 'operator',
    help: 'The maximum size of all tasks together; beyond it, those completed first are archived',
    parse: either('none', size()),
  },
  {
    name: 'records.archival',
    flag: null,
    env: 'REMINDB_RECORDS_ARCHIVAL',
    default: true,
    scope: 'project',
    help: 'false: no record is archived automatically',
    parse: flag(),
  },
  {
    name: 'records.archive_learnings_days',
    flag: null,
    env: 'REMINDB_RECORDS_ARCHIVE_LEARNINGS_DAYS',
    default: 90,
    scope: 'project',
    help: 'Days without access after which a learning is archived',
    parse: integer(1, 36_500),
  },
  {
    name: 'records.archive_tasks_days',
    flag: null,
    env: 'REMINDB_RECORDS_ARCHIVE_TASKS_DAYS',
    default: 30,
    scope: 'project',
    help: 'Days after its completion when a task is archived',
    parse: integer(1, 36_500),
  },
  {
    name: 'records.views',
    flag: null,
    env: 'REMINDB_RECORDS_VIEWS',
    default: [],
    scope: 'project',
    help: 'Custom views, shown at memory://custom/{view}',
    example: `[${VIEW_EXAMPLE}]`,
    parse: views(),
  },
] as const satisfies readonly Setting[]

/** In the environment as JSON. */
function views(): ParseSetting<readonly CustomView[]> {
  return (raw) => {
    const list = typeof raw === 'string' ? jsonOf(raw) : raw
    if (!Array.isArray(list)) return { refused: 'a list of {"name": …, "filter": …}' }
    const problem = problemOfViews(list)
    return problem === undefined ? { value: list } : { wrongPart: problem }
  }
}

import type { ServerObserver } from '../../src/mcp/model/observer.ts'
import { SCHEMES } from '../../src/mcp/model/scheme.ts'
import { listResources, listTemplates } from '../../src/mcp/resources/list-resources.ts'

const served = {
  schemes: SCHEMES,
  allowed: () => ({ access: 'removes' }) as const,
  observer: { customViews: () => [] } as unknown as ServerObserver,
}

/** What `resources/list` and `resources/templates/list` show where the settings add nothing. */
export const RESOURCE_ENTRIES = listResources(served)
export const TEMPLATE_ENTRIES = listTemplates(served)

import type { BigMemory } from './memory.ts'
import { doorSteps, type Step, treeSteps, unattendedSteps } from './script/steps.ts'

export const TRANSPORTS = ['stdio', 'http'] as const
export type Transport = (typeof TRANSPORTS)[number]

export interface Scenario {
  name: 'tree' | 'doors' | 'unattended'
  /** After `remindb serve`. */
  serve: string[]
  steps(memory: BigMemory): Step[]
  isAllowed: boolean
  transports: readonly Transport[]
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'tree', serve: [], steps: treeSteps, isAllowed: true, transports: TRANSPORTS },
  {
    ...{ name: 'doors', serve: ['--tools', 'records,keys,files'], steps: doorSteps },
    ...{ isAllowed: true, transports: TRANSPORTS },
  },
  { name: 'unattended', serve: [], steps: unattendedSteps, isAllowed: false, transports: ['stdio'] },
]

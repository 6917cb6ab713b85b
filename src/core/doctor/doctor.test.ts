import { describe, expect, test } from 'vitest'
import type { CheckResult, CheckStatus, Engine, Operation } from '../port/store.ts'
import { type BackUp, doctor, type HealDeps, heal } from './doctor.ts'

interface Patient {
  checks: Record<string, CheckStatus>
  roots?: string[] | 'lost'
  cannotHeal?: string[]
  /** For each check, the one that must pass before it can be healed. */
  needs?: Record<string, string>
  scrubs?: boolean
}

/** An engine with the given health; healing a check makes it pass. */
function depsFor({ checks, roots = [], cannotHeal = [], needs = {}, scrubs = true }: Patient) {
  const log: string[] = []
  const tx = {
    totals: async () => {
      if (roots === 'lost') throw new Error('no such table: documents')
      return roots.map((value) => ({ value, count: 1, bytes: 0 }))
    },
    async engineHeal(name: string) {
      log.push(`heal ${name}`)
      if (cannotHeal.includes(name)) throw new Error(`no way to heal ${name}`)
      const need = needs[name]
      if (need !== undefined && checks[need] !== 'pass') throw new Error(`${need} comes first`)
      checks[name] = 'pass'
    },
  }
  const store = {
    read: (ask: (reads: unknown) => unknown) => ask(tx),
    write: (operation: Operation<unknown, unknown>, input: unknown) =>
      operation.run(tx as never, input, undefined as never),
  }
  const deps: HealDeps = {
    store: store as unknown as Engine['store'],
    maintenance: {
      check: async (): Promise<CheckResult[]> =>
        Object.entries(checks).map(([name, status]) => ({ name, status, detail: `${name} ${status}` })),
      async scrub() {
        log.push('scrub')
        if (scrubs) checks.pending_scrub = 'pass'
        return scrubs
      },
      files: {
        async backup() {
          log.push('backup')
        },
        async repairSchema() {
          log.push('repair schema')
          if (cannotHeal.includes('schema_objects')) throw new Error('no way to repair the schema')
          checks.schema_objects = 'pass'
        },
      },
    } as unknown as Engine['maintenance'],
    showRoot: (stored) => `/shown/${stored}`,
    rootsExist: (roots) =>
      roots.map((root) => (root === '/shown/foreign' ? undefined : root !== '/shown/gone')),
  }
  const backUp: BackUp = (copy) => copy('/copy')
  return { deps, log, backUp }
}

describe('doctor', () => {
  test.each<[CheckStatus[], CheckStatus]>([
    [['pass', 'pass'], 'pass'],
    [['pass', 'warn'], 'warn'],
    [['warn', 'pass'], 'warn'],
    [['warn', 'fail'], 'fail'],
    [['fail', 'warn'], 'fail'],
    [['fail', 'pass'], 'fail'],
  ])('is as bad as the worst of %j', async ([first, second], worst) => {
    const { deps } = depsFor({
      checks: { schema_version: first as CheckStatus, other: second as CheckStatus },
    })
    expect((await doctor(deps)).status).toBe(worst)
  })

  test('reports missing compile roots, right after the schema', async () => {
    const { deps } = depsFor({
      checks: { fts: 'pass', schema_version: 'pass', z: 'pass' },
      roots: ['.', 'gone'],
    })
    const { status, checks } = await doctor(deps)
    expect(status).toBe('warn')
    expect(checks.map(({ name }) => name)).toEqual(['fts', 'schema_version', 'stale_compile_root', 'z'])
    expect(checks[2]?.detail).toBe('1/2 compile roots no longer exist: [/shown/gone]')
  })

  test('does not check compile roots that were not named on this machine', async () => {
    const { deps } = depsFor({ checks: { schema_version: 'pass', z: 'pass' }, roots: ['.', 'foreign'] })
    expect((await doctor(deps)).checks[1]).toMatchObject({
      status: 'pass',
      detail: '1 compile roots present; 1 not named on this machine, not checked',
    })
  })

  test('continues if the compile roots cannot be listed', async () => {
    const { deps } = depsFor({ checks: { schema_version: 'pass', z: 'fail' }, roots: 'lost' })
    expect((await doctor(deps)).checks[1]).toEqual({
      name: 'stale_compile_root',
      status: 'warn',
      detail: 'cannot be checked: no such table: documents',
    })
  })

  test('reads nothing else if the schema is missing', async () => {
    const { deps } = depsFor({ checks: { schema_version: 'fail' }, roots: ['gone'] })
    expect((await doctor(deps)).checks.map(({ name }) => name)).toEqual(['schema_version'])
  })
})

describe('heal', () => {
  test('leaves a healthy memory alone: no backup, no change', async () => {
    const { deps, log, backUp } = depsFor({ checks: { schema_version: 'pass', other: 'warn' } })
    expect((await heal(deps, backUp)).status).toBe('warn')
    expect(log).toEqual([])
  })

  test('backs up once, heals failing checks, and reports it', async () => {
    const { deps, log, backUp } = depsFor({
      checks: { schema_version: 'pass', a: 'fail', b: 'fail', c: 'pass', pending_scrub: 'fail' },
    })
    const { status, checks } = await heal(deps, backUp)
    expect(log).toEqual(['backup', 'heal a', 'heal b', 'scrub'])
    expect(status).toBe('pass')
    expect(checks.filter((check) => check.fix_applied).map(({ name }) => name)).toEqual([
      'a',
      'b',
      'pending_scrub',
    ])
    expect(checks.find(({ name }) => name === 'c')).not.toHaveProperty('fix_applied')
  })

  test('continues after a check that cannot be healed, and says why', async () => {
    const { deps, backUp } = depsFor({
      checks: { schema_version: 'pass', a: 'fail', b: 'fail', pending_scrub: 'fail' },
      cannotHeal: ['a'],
      scrubs: false,
    })
    const { status, checks } = await heal(deps, backUp)
    expect(status).toBe('fail')
    expect(checks.find(({ name }) => name === 'a')).toMatchObject({ fix_error: 'no way to heal a' })
    expect(checks.find(({ name }) => name === 'b')).toMatchObject({ fix_applied: true })
    expect(checks.find(({ name }) => name === 'pending_scrub')).toMatchObject({
      fix_error: expect.any(String),
    })
  })

  test('retries a check after another repair has made it possible', async () => {
    const { deps, log, backUp } = depsFor({
      checks: { schema_version: 'pass', a: 'fail', b: 'fail' },
      needs: { a: 'b' },
    })
    const { status, checks } = await heal(deps, backUp)
    expect(status).toBe('pass')
    expect(checks.find(({ name }) => name === 'a')).toMatchObject({ status: 'pass', fix_applied: true })
    expect(log).toEqual(['backup', 'heal a', 'heal b', 'heal a'])
  })

  test('repairs the schema first, which makes the backup', async () => {
    const checks = { schema_version: 'pass', a: 'fail', schema_objects: 'fail' } as const
    const { deps, log, backUp } = depsFor({ checks: { ...checks } })
    expect((await heal(deps, backUp)).status).toBe('pass')
    expect(log).toEqual(['repair schema', 'heal a'])
  })

  test('repairs nothing else if the schema cannot be repaired', async () => {
    const checks = { schema_version: 'pass', a: 'fail', schema_objects: 'fail' } as const
    const { deps, log, backUp } = depsFor({ checks: { ...checks }, cannotHeal: ['schema_objects'] })
    const healed = (await heal(deps, backUp)).checks
    expect(log).toEqual(['repair schema'])
    expect(healed.find(({ name }) => name === 'schema_objects')?.fix_error).toBe(
      'no way to repair the schema',
    )
    expect(healed.find(({ name }) => name === 'a')?.fix_error).toBe(
      'not tried: schema_objects cannot be repaired',
    )
  })

  test('makes no backup for checks that cannot be repaired', async () => {
    const { deps, log, backUp } = depsFor({ checks: { schema_version: 'pass', text_digest: 'fail' } })
    expect((await heal(deps, backUp)).checks.at(-1)).toMatchObject({ fix_error: expect.any(String) })
    expect(log).toEqual([])
  })

  test('changes nothing if the backup fails', async () => {
    const { deps, log } = depsFor({ checks: { schema_version: 'pass', a: 'fail' } })
    await expect(
      heal(deps, async () => {
        throw new Error('disk full')
      }),
    ).rejects.toThrow('disk full')
    expect(log).toEqual([])
  })
})

import { test } from 'vitest'
export function modelContract(_open: unknown): void {
  test('todo', () => {})
}

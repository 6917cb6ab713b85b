import { expect, test } from 'vitest'
import { redirectTarget } from './redirect-target.ts'

test.each([
  ['https://claude.ai/api/mcp/auth_callback', { host: 'claude.ai', isLoopback: false }],
  ['http://localhost:58135/callback', { host: 'localhost:58135', isLoopback: true }],
  ['http://127.0.0.1/callback', { host: '127.0.0.1', isLoopback: true }],
  ['http://[::1]:8/', { host: '[::1]:8', isLoopback: true }],
  ['https://localhost.evil.example/', { host: 'localhost.evil.example', isLoopback: false }],
  ['https://127.0.0.1.evil.example/', { host: '127.0.0.1.evil.example', isLoopback: false }],
  ['https://claude.ai@evil.example/', { host: 'evil.example', isLoopback: false }],
  // An attack with letters that look like others.
  ['https://clаude.ai/', { host: 'xn--clude-5ve.ai', isLoopback: false }],
  [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    { host: 'cursor://anysphere.cursor-mcp', isLoopback: false, isApp: true },
  ],
  ['com.example.app:/callback', { host: 'com.example.app:', isLoopback: false, isApp: true }],
])('%s leads to %j', (uri, target) => {
  expect(redirectTarget(uri)).toEqual(target)
})

import { expect, test } from 'vitest'
import { MemoryError } from '../core/errors.ts'
import { isLoopback, parseListenAddress, resolveAddress, showAddress } from './listen-address.ts'

test.each([
  ['127.0.0.1:7474', { host: '127.0.0.1', port: 7474 }],
  ['127.8.9.10:1', { host: '127.8.9.10', port: 1 }],
  ['[::1]:7474', { host: '::1', port: 7474 }],
  ['[0:0:0:0:0:0:0:1]:7474', { host: '::1', port: 7474 }],
  ['localhost:7474', { host: 'localhost', port: 7474 }],
  ['LocalHost:0', { host: 'localhost', port: 0 }],
  ['0.0.0.0:65535', { host: '0.0.0.0', port: 65535 }],
  ['memory.example:80', { host: 'memory.example', port: 80 }],
])('reads %s', (text, address) => {
  expect(parseListenAddress(text)).toEqual(address)
})

test.each([
  [':7474', '"127.0.0.1:7474"'],
  ['7474', '"127.0.0.1:7474"'],
  ['127.0.0.1', '"127.0.0.1:7474"'],
  ['127.0.0.1:', '"127.0.0.1:7474"'],
  ['127.0.0.1:65536', 'from 0 to 65535'],
  ['127.0.0.1:-1', 'write an address and a port'],
  ['127.0.0.1:7e3', 'write an address and a port'],
  ['127.0.0.1 :7474', 'write an address and a port'],
  ['::1:7474', '"[::1]:7474"'],
  ['::1', '"[::1]:7474"'],
  ['[::1]', '"[::1]:7474"'],
  ['[::1', '"[::1]:7474"'],
  ['[127.0.0.1]:7474', '"[::1]:7474"'],
  ['[fe80::1%eth0]:7474', '"[::1]:7474"'],
  ['http://127.0.0.1:7474', 'leave out the scheme'],
  ['http://127.0.0.1:7474/mcp', 'leave out the scheme'],
  ['-x:7474', 'write an address and a port'],
  ['', 'write an address and a port'],
])('refuses %j, saying what to write', (text, hint) => {
  expect(() => parseListenAddress(text)).toThrow(MemoryError)
  expect(() => parseListenAddress(text)).toThrow(hint)
})

test('repeats the input cut, and without terminal control characters', () => {
  expect(() => parseListenAddress(`\x1b[2J${'x'.repeat(500)}`)).toThrow(/"\\x1b\[2Jx{70,80}…":/)
})

test.each([
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.7', false],
  ['fe80::1', false],
  ['::ffff:10.0.0.1', false],
  ['localhost', false],
  ['', false],
])('knows whether %s is a loopback address: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})

test('shows an address as a URL has it', () => {
  expect(showAddress({ host: '::1', port: 1 })).toBe('[::1]:1')
  expect(showAddress({ host: 'localhost', port: 2 })).toBe('localhost:2')
})

const named =
  (...addresses: string[]) =>
  async () =>
    addresses

test('binds the address that a name has, IPv4 first', async () => {
  const localhost = { host: 'localhost', port: 7474 }
  expect(await resolveAddress(localhost, { findAddresses: named('::1', '127.0.0.1') })).toBe('127.0.0.1')
  expect(await resolveAddress(localhost, { findAddresses: named('::1') })).toBe('::1')
  expect(isLoopback(await resolveAddress(localhost))).toBe(true)
})

test('looks up no name for an IP address', async () => {
  const unasked = async () => expect.unreachable()
  expect(await resolveAddress({ host: '127.0.0.1', port: 1 }, { findAddresses: unasked })).toBe('127.0.0.1')
})

test.each([
  ['0.0.0.0', []],
  ['::', []],
  ['192.168.1.7', []],
  ['localhost', ['192.168.1.7']],
  ['localhost', ['127.0.0.1', '192.168.1.7']],
  ['0', ['0.0.0.0']],
])('refuses %s (%j): other machines could reach it', async (host, addresses) => {
  const refused = resolveAddress({ host, port: 7474 }, { findAddresses: named(...addresses) })
  await expect(refused).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringMatching(
      /is reachable from other machines, and clients would not be authenticated; listen on 127\.0\.0\.1:7474/,
    ),
  })
})

test('says that a name is unknown', async () => {
  const address = { host: 'nowhere.invalid', port: 7474 }
  const failing = async () => Promise.reject(new Error('ENOTFOUND'))
  for (const find of [failing, named()]) {
    await expect(resolveAddress(address, { findAddresses: find })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('knows no address of that name'),
    })
  }
})

test('an address that other machines reach may be used if clients are authenticated', async () => {
  expect(await resolveAddress({ host: '0.0.0.0', port: 1 }, { isPublic: true })).toBe('0.0.0.0')
})

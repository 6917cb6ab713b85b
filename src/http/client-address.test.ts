import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createClientAddress } from './client-address.ts'
import { createNetworks, customerOf, parseNetwork, plainAddress } from './networks.ts'

describe('an address has one spelling', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::1', '::1'],
  ])('%s is %s', (text, address) => {
    expect(plainAddress(text)).toBe(address)
  })

  test.each([
    '',
    ' 192.0.2.1',
    '192.0.2',
    '192.0.2.256',
    '0300.0.2.1',
    'localhost',
    'unknown',
    '_hidden',
    'fe80::1%eth0',
    '1.2.3.4,',
  ])('%j is none', (text) => {
    expect(plainAddress(text)).toBeUndefined()
  })
})

describe('a network', () => {
  test.each([
    ['10.0.0.0/8', { address: '10.0.0.0', family: 'ipv4', prefix: 8 }],
    ['10.1.2.3', { address: '10.1.2.3', family: 'ipv4', prefix: 32 }],
    ['::ffff:10.0.0.0/104', { address: '10.0.0.0', family: 'ipv4', prefix: 8 }],
    ['2001:db8::/32', { address: '2001:db8::', family: 'ipv6', prefix: 32 }],
    ['0.0.0.0/0', { address: '0.0.0.0', family: 'ipv4', prefix: 0 }],
  ])('is %s', (text, network) => {
    expect(parseNetwork(text)).toEqual(network)
  })

  test.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '::ffff:10.0.0.0/64',
    '10.0.0.0/8x',
    'proxy.example',
    '*',
  ])('is not %j', (text) => {
    expect(parseNetwork(text)).toBeUndefined()
  })

  test('contains what begins with the same bits, in either family', () => {
    const isTrusted = createNetworks(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'])
    const asked = [
      '10.255.0.1',
      '11.0.0.1',
      '192.0.2.7',
      '192.0.2.8',
      '2001:db8:ffff::1',
      '2001:db9::1',
      '::1',
      '::2',
    ]
    expect(asked.filter(isTrusted)).toEqual(['10.255.0.1', '192.0.2.7', '2001:db8:ffff::1', '::1'])
  })

  test('contains what arithmetic says', () => {
    const bytes = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 })
    const bits = (address: readonly number[]) =>
      address.map((byte) => byte.toString(2).padStart(8, '0')).join('')
    fc.assert(
      fc.property(bytes, bytes, fc.nat(32), (network, address, prefix) => {
        const isInside = bits(network).slice(0, prefix) === bits(address).slice(0, prefix)
        expect(createNetworks([`${network.join('.')}/${prefix}`])(address.join('.'))).toBe(isInside)
      }),
    )
  })
})

describe('the address of a client', () => {
  const find = createClientAddress(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'])

  test.each([
    ['of somebody unknown is where it connects from', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['is what the proxy appended', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is not what the client claimed before that', '127.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['is before all trusted proxies', '127.0.0.1', '1.1.1.1, 203.0.113.9, 10.2.3.4, 10.0.0.1', '203.0.113.9'],
    ['may be in a trusted network', '127.0.0.1', '10.2.3.4, 10.0.0.1', '10.2.3.4'],
    ['has one spelling', '::ffff:127.0.0.1', ' ::ffff:203.0.113.9 ', '203.0.113.9'],
    ['may be of IPv6', '2001:db8::7', '2001:0DB9::1', '2001:db9::1'],
    ['may come with a port', '127.0.0.1', '203.0.113.9:50211', '203.0.113.9'],
    ['may come with a port and brackets', '127.0.0.1', '[2001:db9::1]:443', '2001:db9::1'],
    ['is that of the proxy if it does not say', '127.0.0.1', '', '127.0.0.1'],
    ['is that of the proxy if it says no address', '127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
    ['is that of the last proxy known', '127.0.0.1', '203.0.113.9, , 10.0.0.1', '10.0.0.1'],
    ['is that of the proxy if a comma ends the list', '127.0.0.1', '203.0.113.9,', '127.0.0.1'],
    ['of an unknown kind stays as it is', 'fe80::1%eth0', '203.0.113.9', 'fe80::1%eth0'],
    ['may be missing', '', '203.0.113.9', ''],
  ])('%s', (_, peer, forwardedFor, address) => {
    expect(find(peer, forwardedFor)).toBe(address)
  })

  test('is never taken from a header where no proxy is trusted', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(address, fc.string(), (peer, forwardedFor) => {
        expect(createClientAddress([])(peer, forwardedFor)).toBe(plainAddress(peer) ?? peer)
      }),
    )
  })

  test('is what the trusted proxy appended, whatever comes before it', () => {
    const untrusted = fc.ipV4().filter((address) => !address.startsWith('10.') && address !== '127.0.0.1')
    fc.assert(
      fc.property(fc.string(), untrusted, (claimed, address) => {
        expect(find('127.0.0.1', `${claimed}, ${address}`)).toBe(address)
      }),
    )
  })

  test('is an address for any header', () => {
    const entry = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string(),
      fc.constantFrom('10.0.0.1', '127.0.0.1', '[::1]:1'),
    )
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(plainAddress(find('127.0.0.1', entries.join(',')))).toBeDefined()
      }),
    )
  })

  test('is found behind any of a thousand proxies', () => {
    const networks = Array.from({ length: 1000 }, (_, index) => `10.${index >> 8}.${index & 255}.0/24`)
    const findOne = createClientAddress(networks)
    const hops = networks.map((network) => network.replace('.0/24', '.9'))
    expect(findOne(hops[0] ?? '', `203.0.113.9, ${hops.slice(1).join(', ')}`)).toBe('203.0.113.9')
    expect(findOne('10.4.0.1', '203.0.113.9')).toBe('10.4.0.1')
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::a:b:c:d', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is of the customer %s', (address, customer) => {
  expect(customerOf(address)).toBe(customer)
})

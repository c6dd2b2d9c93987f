import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { AddressNotAllowedError } from '../errors.ts'
import { createAddressGuard } from './address-guard.ts'

const refused = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0177.0.0.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://169.254.169.254/',
  'http://100.64.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://192.0.2.1/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST/',
  'http://foo.localhost/',
  'http://127.0.0.1./',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[2001::1]/',
  'http://[::5efe:7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[::ffff:0:7f00:1]/',
  'http://[4000::1]/',
]

test('addresses that are not public are refused in every notation', () => {
  const guard = createAddressGuard([])
  for (const url of refused) {
    expect(() => guard.vetUrl(new URL(url)), url).toThrow(AddressNotAllowedError)
  }
})

test('public addresses and names pass', () => {
  const guard = createAddressGuard([])
  for (const url of ['https://example.com/', 'http://8.8.8.8/', 'http://[2606:4700::1111]/']) {
    expect(() => guard.vetUrl(new URL(url)), url).not.toThrow()
  }
})

test('an address that the operator allows passes, only on the named port', () => {
  const guard = createAddressGuard(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.1:4002,10.0.0.0/8' }).allowedNetworks)
  expect(() => guard.vetUrl(new URL('http://127.0.0.1:4002/'))).not.toThrow()
  expect(() => guard.vetUrl(new URL('http://localhost:4002/'))).not.toThrow()
  expect(() => guard.vetUrl(new URL('http://[::ffff:10.9.9.9]/'))).not.toThrow()
  expect(() => guard.vetUrl(new URL('http://127.0.0.1:4003/'))).toThrow(AddressNotAllowedError)
  expect(() => guard.vetUrl(new URL('https://127.0.0.1/'))).toThrow(AddressNotAllowedError)
})

test('a name is refused when it resolves to an address that is not allowed', async () => {
  const lookup = (port: number, allowed: string) =>
    new Promise<string | Error>((resolve) => {
      const guard = createAddressGuard(readConfig({ WHERRY_ALLOWED_NETWORKS: allowed }).allowedNetworks)
      guard.lookupFor(port)('localhost', {}, (error, address) => resolve(error ?? String(address)))
    })
  expect(await lookup(80, '')).toBeInstanceOf(AddressNotAllowedError)
  expect(await lookup(80, '127.0.0.0/8,::1')).toMatch(/^(127\.0\.0\.1|::1)$/)
  expect(await lookup(80, '127.0.0.0/8:81,[::1]:81')).toBeInstanceOf(AddressNotAllowedError)
})

import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { AllowedNetwork } from '../config.ts'
import { AddressNotAllowedError } from '../errors.ts'

/** Decides which addresses we may connect to: public ones, and those that the operator has allowed. */
export interface AddressGuard {
  /**
   * Throws AddressNotAllowedError for a forbidden IP address or a local name. Other names are checked when they
   * resolve.
   */
  vetUrl(url: URL): void
  /** A `lookup` for sockets to `port`. It fails if the name resolves to a forbidden address. */
  lookupFor(port: number): LookupFunction
}

export function createAddressGuard(allowed: readonly AllowedNetwork[], resolve = dnsLookup): AddressGuard {
  const isAllowed = (text: string, port: number): boolean => {
    // Turns ::ffff:10.0.0.1 into 10.0.0.1, so that a private address cannot hide in another notation.
    const address = ipaddr.process(text.replace(/%.*$/, ''))
    if (address.range() === 'unicast' && isGlobal(address)) return true
    return allowed.some(
      (network) =>
        network.address.kind() === address.kind() &&
        (network.port === null || network.port === port) &&
        address.match(network.address, network.prefixLength),
    )
  }
  const refuse = (host: string) =>
    new AddressNotAllowedError(`${host} is not a public address, and the operator has not allowed it`)

  return {
    vetUrl(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
      const local = host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : null
      const literal = local ?? (ipaddr.isValid(host) ? host : null)
      if (literal !== null && !isAllowed(literal, portOf(url))) throw refuse(host)
    },
    lookupFor: (port) => (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        if (error) return callback(error, '', 0)
        const [first] = addresses
        // One forbidden address among several is enough to refuse, because an attacker's name server may mix them.
        if (!first || addresses.some(({ address }) => !isAllowed(address, port))) {
          return callback(refuse(hostname), '', 0)
        }
        return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
      })
    },
  }
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}

/**
 * Only 2000::/3 holds public IPv6 addresses. Any other address is unassigned, or contains an IPv4 address that would
 * need its own check.
 */
function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.kind() === 'ipv4' || ((address as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1
}

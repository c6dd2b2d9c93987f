import { domainToASCII } from 'node:url'

/**
 * Rewrites the host of an e-mail address in ASCII, which every tool accepts: `a@bücher.example` becomes
 * `a@xn--bcher-kva.example`.
 */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const host = at < 0 ? '' : address.slice(at + 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  const ascii = /^[\x00-\x7f]*$/.test(host) ? '' : domainToASCII(host)
  return ascii === '' ? address : `${address.slice(0, at + 1)}${ascii}`
}

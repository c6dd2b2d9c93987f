import { domainToASCII } from 'node:url'

/** An e-mail address with its host in letters that every tool takes: `a@bücher.example` is `a@xn--bcher-kva.example`. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const host = at < 0 ? '' : address.slice(at + 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  const ascii = /^[\x00-\x7f]*$/.test(host) ? '' : domainToASCII(host)
  return ascii === '' ? address : `${address.slice(0, at + 1)}${ascii}`
}

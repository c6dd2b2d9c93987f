type WebCrypto = typeof globalThis.crypto

/**
 * The platform's Web Crypto. Only Node 18 keeps it in a module. Bundlers for browsers must not see the module's name.
 */
export async function webCrypto(): Promise<WebCrypto> {
  if (globalThis.crypto) return globalThis.crypto
  const hidden = 'node:crypto'
  const { webcrypto } = (await import(hidden)) as { webcrypto: WebCrypto }
  return webcrypto
}

type WebCrypto = typeof globalThis.crypto

/** The platform's Web Crypto. Only Node 18 hides it in a module, whose name bundlers for browsers must not see. */
export async function webCrypto(): Promise<WebCrypto> {
  if (globalThis.crypto) return globalThis.crypto
  const hidden = 'node:crypto'
  const { webcrypto } = (await import(hidden)) as { webcrypto: WebCrypto }
  return webcrypto
}

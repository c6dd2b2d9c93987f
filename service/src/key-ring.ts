import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './errors.ts'

/**
 * Seals secrets at rest with AES-256-GCM. The first key seals, all keys open, so a key is rotated by putting a new
 * one in front. `place` names table, row and column: a sealed value moved to another row does not open there.
 */
export interface KeyRing {
  seal(plain: string | Buffer, place: string): Buffer
  open(sealed: Buffer, place: string): string
  openBytes(sealed: Buffer, place: string): Buffer
}

const formatVersion = 1
const ivBytes = 12
const tagBytes = 16
const keyIdPattern = /^[a-z0-9]{1,16}$/

/** The text form is `id:base64key,id:base64key…`, newest first, each key 32 bytes. */
export function parseKeyRing(text: string): KeyRing {
  const keys = new Map<string, Buffer>()
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [id = '', encoded = ''] = entry.split(':')
    const key = Buffer.from(encoded, 'base64')
    if (!keyIdPattern.test(id) || key.length !== 32 || keys.has(id)) {
      throw new OperatorError(
        'WHERRY_KEYS must be a comma-separated list of id:key, newest first: ids unique, of up to 16 lowercase letters and digits; keys 32 bytes in base64 (make one with: openssl rand -base64 32).',
      )
    }
    keys.set(id, key)
  }
  const [newest] = keys
  if (!newest) throw new OperatorError('WHERRY_KEYS holds no key. Make one with: openssl rand -base64 32')
  const [newestId, newestKey] = newest

  const openBytes = (sealed: Buffer, place: string): Buffer => {
    const idLength = sealed[1] ?? 0
    const id = sealed.subarray(2, 2 + idLength).toString()
    const key = keys.get(id)
    if (sealed[0] !== formatVersion || !key) {
      throw new OperatorError(
        `A secret in the database was sealed with key "${id}", which is not in the key ring. Put that key back into WHERRY_KEYS.`,
      )
    }
    const ivStart = 2 + idLength
    const tagStart = ivStart + ivBytes
    const bodyStart = tagStart + tagBytes
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(ivStart, tagStart), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(sealed.subarray(tagStart, bodyStart))
    const body = decipher.update(sealed.subarray(bodyStart))
    try {
      return Buffer.concat([body, decipher.final()])
    } catch (error) {
      throw new OperatorError(
        `A secret in the database does not open with key "${id}": this is not the key ring that sealed it. Every process on one database needs the same WHERRY_KEYS (or the same file "keys" in WHERRY_HOME).`,
        { cause: error },
      )
    }
  }

  return {
    seal(plain, place) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', newestKey, iv, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([
        cipher.update(typeof plain === 'string' ? Buffer.from(plain) : plain),
        cipher.final(),
      ])
      const header = Buffer.from([formatVersion, newestId.length])
      return Buffer.concat([header, Buffer.from(newestId), iv, cipher.getAuthTag(), body])
    },
    open: (sealed, place) => openBytes(sealed, place).toString('utf8'),
    openBytes,
  }
}

/** The ring from the configuration or, on a single machine, from a file of our own that is made at the first start. */
export function loadKeyRing(config: { keys: string | null; home: string }): KeyRing {
  return parseKeyRing(config.keys ?? readOrCreateKeyFile(config.home))
}

function readOrCreateKeyFile(home: string): string {
  const file = join(home, 'keys')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new OperatorError(`The key ring ${file} cannot be read: ${(error as Error).message}`)
    }
  }
  mkdirSync(home, { recursive: true })
  // Written whole, then linked: of two processes that start at once, both end up with the same key.
  const draft = join(home, `keys.${process.pid}.${randomBytes(4).toString('hex')}`)
  writeFileSync(draft, `k1:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(file, 'utf8')
}

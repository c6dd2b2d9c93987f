import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { OperatorError } from './errors.ts'

/**
 * Seals secrets at rest with AES-256-GCM. The first key seals, all keys open, so a key is rotated by putting a new
 * one in front. `place` names table, row and column: a sealed value moved to another row does not open there.
 */
export interface KeyRing {
  seal(plain: string | Buffer, place: string): Buffer
  open(sealed: Buffer, place: string): string
  openBytes(sealed: Buffer, place: string): Buffer
  /** The ids of its keys, newest first. */
  ids(): readonly string[]
}

const formatVersion = 1
const ivBytes = 12
const tagBytes = 16
const keyIdPattern = /^[a-z0-9]{1,16}$/

/** The ring has no key of this id. Another process may have added the key since the ring was read. */
export class UnknownKeyError extends OperatorError {}

/** The text form is `id:base64key,id:base64key…`, newest first, each key 32 bytes. */
export function parseKeyRing(text: string, from = 'WHERRY_KEYS'): KeyRing {
  // Key objects are made once: from bytes, every call would make its own, which takes several times as long.
  const keys = new Map<string, KeyObject>()
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [id = '', encoded = ''] = entry.split(':')
    const key = Buffer.from(encoded, 'base64')
    if (!keyIdPattern.test(id) || key.length !== 32 || keys.has(id)) {
      throw new OperatorError(
        `${from} must be a comma-separated list of id:key, newest first: ids unique, of up to 16 lowercase letters and digits; keys 32 bytes in base64 (make one with: openssl rand -base64 32).`,
      )
    }
    keys.set(id, createSecretKey(key))
  }
  const [newest] = keys
  if (!newest) throw new OperatorError(`${from} holds no key. Make one with: openssl rand -base64 32`)
  const [newestId, newestKey] = newest

  const openBytes = (sealed: Buffer, place: string): Buffer => {
    const idLength = sealed[1] ?? 0
    const id = keyIdOf(sealed)
    const key = keys.get(id)
    if (sealed[0] !== formatVersion || !key) {
      throw new UnknownKeyError(
        `A secret in the database was sealed with key "${id}", which is not in the key ring. If the key is new, restart this process with the ring that has it. Otherwise put that key back into ${from}.`,
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
    ids: () => [...keys.keys()],
  }
}

/** The id of the key that sealed this value. */
export function keyIdOf(sealed: Buffer): string {
  return sealed.subarray(2, 2 + (sealed[1] ?? 0)).toString()
}

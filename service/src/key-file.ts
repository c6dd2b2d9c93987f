import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './errors.ts'
import { parseKeyRing } from './key-ring.ts'

export const keyFileIn = (home: string) => join(home, 'keys')

/** The text of the key ring of a single machine; null without the file. */
export function readKeyFile(home: string): string | null {
  const file = keyFileIn(home)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new OperatorError(`The key ring ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** The same; made at the first start. */
export function readOrCreateKeyFile(home: string): string {
  const file = keyFileIn(home)
  const text = readKeyFile(home)
  if (text !== null) return text
  mkdirSync(home, { recursive: true })
  // Written whole, then linked: of two processes that start at once, both end up with the same key.
  const draft = writeDraft(home, `k1:${newKey()}\n`)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(file, 'utf8')
}

/** Puts a new key in front, at once for every process; answers its id. */
export function addKey(home: string, wishedId: string | null): string {
  return changeKeyFile(home, (entries) => {
    const ids = entries.map(idOf)
    const id = wishedId ?? nextId(ids)
    if (ids.includes(id)) throw new OperatorError(`The key ring has a key ${id} already. Choose another id.`)
    return { entries: [`${id}:${newKey()}`, ...entries], answer: id }
  })
}

/** Removes a key from the file. Its values must have been sealed again before. */
export function removeKey(home: string, id: string): void {
  changeKeyFile(home, (entries) => ({ entries: entries.filter((entry) => idOf(entry) !== id), answer: null }))
}

const idOf = (entry: string) => entry.split(':')[0] ?? ''
const newKey = () => randomBytes(32).toString('base64')

function nextId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0))
  return `k${Math.max(...numbers) + 1}`
}

/** Readers see the old file or the new one, never a part. Of two changes at once, the second is refused. */
function changeKeyFile<T>(home: string, change: (entries: string[]) => { entries: string[]; answer: T }): T {
  const text = readOrCreateKeyFile(home)
  const lock = `${keyFileIn(home)}.lock`
  try {
    closeSync(openSync(lock, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new OperatorError(`Another command changes the key ring. If none does, delete ${lock} and try again.`)
  }
  try {
    const current = readOrCreateKeyFile(home)
    parseKeyRing(current, keyFileIn(home))
    const { entries, answer } = change(current.split(/[\s,]+/).filter((part) => part !== ''))
    const changed = `${entries.join('\n')}\n`
    parseKeyRing(changed, keyFileIn(home))
    if (changed !== text) renameSync(writeDraft(home, changed), keyFileIn(home))
    return answer
  } finally {
    unlinkSync(lock)
  }
}

/** On the disk before it gets its name: a key that sealed something must survive a power cut. */
function writeDraft(home: string, text: string): string {
  const draft = join(home, `keys.${process.pid}.${randomBytes(4).toString('hex')}`)
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return draft
}

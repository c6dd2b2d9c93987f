import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ValidationError } from '../errors.ts'
import { createTurns } from '../turns.ts'

const shortest = 12
const longest = 200
/** OWASP's recommendation for argon2id: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const tagLength = 32

const derive = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, tag: Buffer) => void): void =>
    void argon2('argon2id', parameters, done),
)
/** At most two hashes are computed at the same time, so that many sign-ins at once do not use up the memory. */
const turns = createTurns(2)

async function hash(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  const end = await turns.take()
  try {
    return await derive({ message: password.normalize('NFKC'), nonce, parallelism, tagLength, memory, passes })
  } finally {
    end()
  }
}

interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** Refuses a new password that is easy to guess. */
export function requireGoodPassword(password: string, name: string): void {
  const { length } = [...password]
  if (length < shortest || length > longest) {
    throw new ValidationError({ password: [`must have ${shortest} to ${longest} characters`] })
  }
  if (new Set(password).size < 5) {
    throw new ValidationError({ password: ['must not repeat the same few characters'] })
  }
  if (password.toLowerCase().includes(name.toLowerCase())) {
    throw new ValidationError({ password: ['must not contain the name of the account'] })
  }
}

/** Hashes a password. The text contains its own cost: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await hash(password, nonce, cost)
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(tag)}`
}

/**
 * Checks a password. An account without a password takes as long as a wrong password, so the time does not reveal which
 * accounts exist.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? '')
  if (!parts) {
    await hash(password, randomBytes(16), cost)
    return false
  }
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  const asked = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await hash(password, Buffer.from(salt, 'base64'), asked)
  const expected = Buffer.from(tag, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

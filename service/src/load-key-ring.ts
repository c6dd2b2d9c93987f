import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { OperatorError } from './errors.ts'
import { keyFileIn, readKeyFile, readOrCreateKeyFile } from './key-file.ts'
import { type KeyRing, parseKeyRing, UnknownKeyError } from './key-ring.ts'

export interface KeyRingPlace {
  keys: string | null
  keysCommand?: readonly string[] | null
  home: string
}

const commandLimitMs = 30_000
const mostBytes = 1024 * 1024
/** A value with a lost key must not run the command each time. */
const commandPauseMs = 10_000

/** The ring's origin: WHERRY_KEYS, the output of a command or, on a single machine, a file of our own. */
export function loadKeyRing(place: KeyRingPlace): KeyRing {
  if (place.keys !== null) return parseKeyRing(place.keys)
  return place.keysCommand ? ringOfCommand(place.keysCommand) : ringOfFile(place.home)
}

/** Seals with the newest key of the file at that moment: a key that was added is in use at once, without a restart. */
function ringOfFile(home: string): KeyRing {
  const file = keyFileIn(home)
  let text = readOrCreateKeyFile(home)
  let ring = parseKeyRing(text, file)
  let version = versionOf(file)
  const refresh = () => {
    const now = versionOf(file)
    if (now === version) return
    const read = readKeyFile(home)
    // A new ring in place of a lost one would seal values that the old ring, once it is back, cannot open.
    if (read === null) return
    if (read !== text) ring = parseKeyRing(read, file)
    text = read
    version = now
  }
  return renewing(() => ring, refresh, refresh)
}

/** A new file has another inode, so two changes within one tick of the clock are distinguished. */
function versionOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.ino}.${found.mtimeMs}.${found.size}` : ''
}

function ringOfCommand(command: readonly string[]): KeyRing {
  let ring = parseKeyRing(runCommand(command), 'The output of WHERRY_KEYS_COMMAND')
  let ranAt = performance.now()
  return renewing(
    () => ring,
    () => {},
    () => {
      if (performance.now() - ranAt < commandPauseMs) return
      ring = parseKeyRing(runCommand(command), 'The output of WHERRY_KEYS_COMMAND')
      ranAt = performance.now()
    },
  )
}

/** Reads the ring again before it fails at a key that it does not know. */
function renewing(ring: () => KeyRing, beforeSealing: () => void, atUnknownKey: () => void): KeyRing {
  const openBytes = (sealed: Buffer, place: string): Buffer => {
    try {
      return ring().openBytes(sealed, place)
    } catch (error) {
      if (!(error instanceof UnknownKeyError)) throw error
      atUnknownKey()
      return ring().openBytes(sealed, place)
    }
  }
  return {
    seal(plain, place) {
      beforeSealing()
      return ring().seal(plain, place)
    },
    open: (sealed, place) => openBytes(sealed, place).toString('utf8'),
    openBytes,
    ids() {
      beforeSealing()
      return ring().ids()
    },
  }
}

/** Neither output is shown or logged: both may hold the keys. */
function runCommand([program = '', ...args]: readonly string[]): string {
  const { error, status, signal, stdout } = spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: commandLimitMs,
    killSignal: 'SIGKILL',
    maxBuffer: mostBytes,
    encoding: 'utf8',
  })
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (!error && status === 0) return stdout
  const why =
    code === 'ETIMEDOUT'
      ? 'did not end within 30 seconds'
      : code === 'ENOENT'
        ? `cannot be run: there is no program ${program}`
        : code !== undefined
          ? `cannot be run (${code})`
          : signal
            ? `was ended by ${signal}`
            : `ended with exit code ${status}`
  throw new OperatorError(`WHERRY_KEYS_COMMAND ${why}. Run the command by hand to see what it says.`)
}

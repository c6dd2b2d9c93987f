import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { addKey, removeKey } from './key-file.ts'
import { loadKeyRing } from './load-key-ring.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const commandOf = (env: Record<string, string>) => readConfig(env).keysCommand

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'wherry-keys-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('without a configured ring one is created once, readable only by its owner', () => {
  const sealed = loadKeyRing({ keys: null, home }).seal('x', 'p')
  expect(loadKeyRing({ keys: null, home }).open(sealed, 'p')).toBe('x')
  expect(statSync(join(home, 'keys')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(home, 'keys'), 'utf8')).toMatch(/^k1:/)
})

test('a new key seals at once in a running process, and the old key opens values until it is removed', () => {
  const running = loadKeyRing({ keys: null, home })
  const other = loadKeyRing({ keys: null, home })
  const old = running.seal('old', 'p')
  expect(addKey(home, null)).toBe('k2')
  const fresh = running.seal('new', 'p')
  expect(fresh.subarray(2, 4).toString()).toBe('k2')
  expect(running.open(old, 'p')).toBe('old')
  // This process has not sealed a value since. It reads the ring again when it meets the new key.
  expect(other.open(fresh, 'p')).toBe('new')
  removeKey(home, 'k1')
  expect(running.ids()).toEqual(['k2'])
  expect(() => loadKeyRing({ keys: null, home }).open(old, 'p')).toThrow('sealed with key "k1"')
  expect(statSync(join(home, 'keys')).mode & 0o777).toBe(0o600)
  expect(readdirSync(home)).toEqual(['keys'])
})

test('a running process whose key file is gone keeps its ring and creates no other', () => {
  const running = loadKeyRing({ keys: null, home })
  const text = readFileSync(join(home, 'keys'), 'utf8')
  rmSync(join(home, 'keys'))
  const sealed = running.seal('x', 'p')
  expect(readdirSync(home)).toEqual([])
  writeFileSync(join(home, 'keys'), text)
  expect(loadKeyRing({ keys: null, home }).open(sealed, 'p')).toBe('x')
  expect(running.open(sealed, 'p')).toBe('x')
})

test('a used id, a concurrent change and removing the last key are refused, and the file stays', () => {
  loadKeyRing({ keys: null, home })
  const before = readFileSync(join(home, 'keys'), 'utf8')
  expect(() => addKey(home, 'k1')).toThrow('has a key k1 already')
  expect(() => removeKey(home, 'k1')).toThrow('holds no key')
  writeFileSync(join(home, 'keys.lock'), '')
  expect(() => addKey(home, null)).toThrow('Another command changes the key ring')
  expect(readFileSync(join(home, 'keys'), 'utf8')).toBe(before)
})

test('the ring can be the output of a command, which runs without a shell', () => {
  const file = join(home, 'my ring $(id)')
  writeFileSync(file, `k2:${key(2)}\nk1:${key(1)}\n`)
  const keysCommand = commandOf({ WHERRY_KEYS_COMMAND: JSON.stringify(['cat', file]) })
  expect(loadKeyRing({ keys: null, keysCommand, home }).ids()).toEqual(['k2', 'k1'])
  expect(commandOf({ WHERRY_KEYS_COMMAND: 'pass show  wherry/keys' })).toEqual(['pass', 'show', 'wherry/keys'])
  expect(readdirSync(home)).toEqual(['my ring $(id)'])
})

test.each([
  ['a program that is not there', ['wherry-no-such-program'], 'there is no program wherry-no-such-program'],
  ['a program that fails', [process.execPath, '-e', 'console.log("k1:s3cret"); process.exit(3)'], 'exit code 3'],
  [
    'a program that prints no ring',
    [process.execPath, '-e', 'console.log("k1:s3cret")'],
    'must be a comma-separated list',
  ],
])("%s is reported without the command's output", (_what, keysCommand, words) => {
  const load = () => loadKeyRing({ keys: null, keysCommand, home })
  expect(load).toThrow('WHERRY_KEYS_COMMAND')
  expect(load).toThrow(words)
  expect(load).not.toThrow('s3cret')
})

test('a command beside WHERRY_KEYS, or a command that is not a list of words, is refused', () => {
  const both = { WHERRY_KEYS: `k1:${key(1)}`, WHERRY_KEYS_COMMAND: 'cat keys' }
  expect(() => readConfig(both)).toThrow('WHERRY_KEYS_COMMAND must not be set beside WHERRY_KEYS')
  for (const text of ['[', '[]', '[1]', '["cat", ""]']) {
    expect(() => readConfig({ WHERRY_KEYS_COMMAND: text }), text).toThrow('WHERRY_KEYS_COMMAND must be a command')
  }
})

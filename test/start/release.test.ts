import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'

interface LockedPackage {
  optionalDependencies?: Record<string, string>
}

test('the lockfile names the packages of every platform, so npm ci accepts it', () => {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(checkoutDir, 'package-lock.json'), 'utf8'),
  )
  const locked = Object.keys(lock.packages)
  const missing = Object.values(lock.packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !locked.some((path) => path.endsWith(`node_modules/${name}`)))
  expect(missing).toEqual([])
})

let folder: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder }).toString()
const release = () =>
  spawnSync('node', ['scripts/release.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' },
  })
const write = (file: string, content: string) => writeFileSync(join(folder, file), content)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-release-'))
  cpSync(join(checkoutDir, 'scripts'), join(folder, 'scripts'), { recursive: true })
  mkdirSync(join(folder, 'sdk'))
  write('package.json', JSON.stringify({ type: 'module', version: '1.2.0', workspaces: ['sdk'] }))
  write('package-lock.json', JSON.stringify({ version: '1.2.0' }))
  write('sdk/package.json', JSON.stringify({ version: '1.2.0' }))
  write('CHANGELOG.md', '# Changelog\n\n## Pending\n\n## 1.2.0 (2026-11-02)\n\n- A change.\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'release')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a prepared release is tagged, once', () => {
  expect(release()).toMatchObject({ status: 0, stderr: '' })
  expect(git('tag', '--list').trim()).toBe('v1.2.0')
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('The tag v1.2.0 exists already.') })
})

test('all missing parts are reported at once, and nothing is tagged', () => {
  write('sdk/package.json', JSON.stringify({ version: '1.1.0' }))
  write('CHANGELOG.md', '# Changelog\n\n## Pending\n\n- A change.\n')
  const { status, stderr } = release()
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'Not released:',
    '- sdk/package.json has another version than 1.2.0.',
    '- CHANGELOG.md has lines under "Pending". Move them below "## 1.2.0 (date)".',
    '- CHANGELOG.md has no section "## 1.2.0 (yyyy-mm-dd)" with lines.',
    '- There are changes that are not committed.',
  ])
  expect(git('tag', '--list')).toBe('')
})

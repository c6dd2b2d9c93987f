import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const guard = '/usr/sbin/policy-rc.d'

/** Installs the missing Debian packages. `answers` replaces debconf's questions. */
export async function installPackages(packages: readonly string[], answers = ''): Promise<void> {
  const missing: string[] = []
  for (const name of packages) {
    const { stdout } = await run('dpkg', ['-s', name]).catch(() => ({ stdout: '' }))
    if (!stdout.includes('Status: install ok installed')) missing.push(name)
  }
  if (missing.length === 0) return
  const preset = run('debconf-set-selections', [])
  preset.child.stdin?.end(answers)
  await preset
  // Packages must not start their own servers.
  const isOurs = !existsSync(guard)
  if (isOurs) await writeFile(guard, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const apt = ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=600', '--no-install-recommends']
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 64 * 1024 * 1024 }
    await run('apt-get', [...apt, 'update'], options)
    await run('apt-get', [...apt, 'install', ...missing], options)
  } finally {
    if (isOurs) await rm(guard, { force: true })
  }
}

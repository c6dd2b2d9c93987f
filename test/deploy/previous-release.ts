import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkoutDir } from '../../service/src/config.ts'
import { type Program, startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'

export interface PreviousRelease {
  /** A tag, or a commit while no release is tagged. */
  name: string
  /** The reason why this clone cannot run it; null if it can. */
  obstacle: string | null
}

/** The newest release before this commit; without a tag, the commit that previous-release.json names. */
export async function findPreviousRelease(): Promise<PreviousRelease> {
  const file = await readFile(join(import.meta.dirname, 'previous-release.json'), 'utf8')
  const named: { commit: string } = JSON.parse(file)
  // HEAD^ skips the tag of this very commit: a release is not its own predecessor.
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  const name = tag ?? named.commit
  const isHere = git('cat-file', '-e', `${name}^{commit}`) !== null
  return { name, obstacle: isHere ? null : `this clone lacks ${name}: git fetch --unshallow --tags` }
}

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: checkoutDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}

/** Unpacks a release into its own folder, with the packages of this checkout. */
export async function unpackRelease(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-release-'))
  const archive = execFileSync('git', ['archive', '--format=tar', name, 'service', 'package.json', 'docs', 'demo'], {
    cwd: checkoutDir,
    maxBuffer: 1024 ** 3,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  await mkdir(join(folder, 'service'), { recursive: true })
  for (const place of ['node_modules', 'service/node_modules', 'web']) {
    await symlink(join(checkoutDir, place), join(folder, place))
  }
  return folder
}

export interface ReleaseProcess extends Program {
  /** The address of the API. */
  origin: string
}

/** Starts a process of an installation, as an operator does. */
export async function startRelease(folder: string, role: 'api' | 'worker', databaseUrl: string) {
  const program = startProgram(process.execPath, ['service/bin/wherry.mjs', 'serve', '--role', role], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      WHERRY_KEYS: testKeys,
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
      WHERRY_RATE_LIMIT: '0',
      WHERRY_LOG_LEVEL: 'warn',
      PORT: '0',
    },
  })
  const [, port] = await program.waitFor(role === 'api' ? /http:\/\/localhost:(\d+)\/api/ : /worker is (ready)/)
  return { ...program, origin: `http://127.0.0.1:${port}` } satisfies ReleaseProcess
}

import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPort } from '../src/demo/find-port.ts'

/** Creates a folder and an environment for `npm start` and `wherry` commands. `cleanup` removes the folder. */
export async function makeTemporaryHome(cleanup: AsyncDisposableStack) {
  const home = await mkdtemp(join(tmpdir(), 'wherry-bench-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  await chmod(home, 0o711)
  const port = await findPort(0, [0])
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    WHERRY_HOME: home,
    WHERRY_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    WHERRY_RATE_LIMIT: '0',
    WHERRY_LOG_LEVEL: 'error',
    WHERRY_DEMO: 'off',
    PORT: String(port),
  }
  return { home, port, env }
}

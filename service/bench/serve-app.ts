import { Writable } from 'node:stream'
import { readConfig } from '../src/config.ts'
import { startService } from '../src/main.ts'
import { answerParent } from './run-child.ts'

export interface ServeApp {
  databaseUrl: string
  keys: string
  rateLimit: number
}

answerParent(async ({ databaseUrl, keys, rateLimit }: ServeApp, cleanup) => {
  // Same settings as a production process with the role "api", including the log. The log lines are discarded.
  const config = { ...readConfig({ PORT: '0' }), host: '127.0.0.1', databaseUrl, keys, rateLimit }
  const logStream = new Writable({ write: (_chunk, _encoding, done) => done() })
  const service = await startService(config, { role: 'api', onePerFolder: false, onNotice: () => {}, logStream })
  cleanup.defer(() => service.stop())
  return String(service.origin).replace('localhost', '127.0.0.1')
})

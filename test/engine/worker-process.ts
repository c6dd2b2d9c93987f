// A worker as an operator runs it, in its own process, so that tests can kill or freeze a real one.
import { type Config, readConfig } from '../../service/src/config.ts'
import { startService } from '../../service/src/main.ts'

const [databaseUrl = '', keys = '', databaseDirectUrl = null] = process.argv.slice(2)
const config: Config = {
  ...readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8', WHERRY_LOG_LEVEL: 'silent' }),
  databaseUrl,
  databaseDirectUrl,
  keys,
}
const service = await startService(config, { role: 'worker', onePerFolder: false, onNotice: () => {} })
process.once('SIGTERM', () => void service.stop())
process.stdout.write('ready\n')

// A separate worker process, which ends itself with SIGKILL while it reads an upload. The crash tests run it.
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { openJobs } from '../../service/src/jobs.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { workUploads } from '../../service/src/uploads/upload-queue.ts'

const [databaseUrl = '', keys = '', point = '', nth = '1'] = process.argv.slice(2)
const { db } = openDatabase(databaseUrl, { poolSize: 4 })
let met = 0
const boss = await openJobs(databaseUrl, { warn: () => {} }, true)
await workUploads(boss, {
  db,
  keyRing: parseKeyRing(keys),
  connectors,
  uploadLimitBytes: 100 * 1024 ** 2,
  signal: new AbortController().signal,
  onError: () => process.exit(7),
  crashPoint: async (name) => {
    if (name === point) met++
    if (name === point && met === Number(nth)) process.kill(process.pid, 'SIGKILL')
  },
})

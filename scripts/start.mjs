// npm start: prepares a fresh clone and starts the service.
import { heapEnvironment, heapFlagsOf } from '../service/bin/heap-flags.mjs'
import { buildWeb, checkout, install, ourNode, passSignalsOn, run } from './prepare.mjs'

passSignalsOn()
await install()
await buildWeb()
// The channel closes when this process ends, even after a crash. The service then stops, too.
const args = [...heapFlagsOf('all'), `${checkout}/service/bin/wherry.mjs`, 'serve', '--one-per-folder', '--with-demo']
process.exitCode = await run(ourNode(), args, {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...heapEnvironment, ...process.env },
})

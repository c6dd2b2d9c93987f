// npm test: everything that must hold, from a fresh clone. With --checks: only what needs no database.
import { buildWeb, fail, install, ourNode, passSignalsOn, run } from './prepare.mjs'

passSignalsOn()
await install()
ourNode()
await buildWeb()
const checks = [
  ['biome', ['check', '--error-on-warnings', '.']],
  ['depcruise', ['--config', '.dependency-cruiser.mjs', 'service', 'sdk', 'test']],
  ['tsc', ['-p', '.']],
  ['tsc', ['-p', 'web']],
]
for (const [command, args] of checks) {
  console.log(`> ${command} ${args.join(' ')}`)
  if ((await run(command, args)) !== 0) fail(`${command} found problems.`)
}
if (!process.argv.includes('--checks')) {
  process.exitCode = await run('vitest', ['run', ...process.argv.slice(2)])
}

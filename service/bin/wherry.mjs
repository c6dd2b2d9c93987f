#!/usr/bin/env node
// Runs the CLI under the Node of the checkout: the machine's own may be too old to read TypeScript.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) >= 24) {
  // Reading a thousand files takes most of a start; the next one finds them compiled. Where nothing can be kept, nothing is.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/wherry', import.meta.url)))
  const { runCli } = await import('../src/operator/cli.ts')
  process.exitCode = await runCli(process.argv.slice(2), process.env)
  // Nothing may hold the process once its command is done.
  if (process.connected) process.disconnect()
} else {
  const pinned = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
  if (!existsSync(pinned)) {
    console.error('Wherry needs Node 24. Run "npm install" in the checkout, which brings it along, or install Node 24.')
    process.exit(1)
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

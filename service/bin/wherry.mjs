#!/usr/bin/env node
// Runs the CLI under the Node of the checkout: the machine's own may be too old to read TypeScript.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { heapEnvironment, heapFlagsOf } from './heap-flags.mjs'

const isServing = process.argv[2] === 'serve'
const { values } = parseArgs({ args: process.argv.slice(3), options: { role: { type: 'string' } }, strict: false })
const heapFlags = heapFlagsOf(values.role)
const isLimited = process.execArgv.some((flag) => heapFlags.includes(flag))

if (Number(process.versions.node.split('.')[0]) >= 24) {
  // Replaces this process by one with the flags. A process with a channel cannot be replaced; its parent has given
  // the flags.
  if (isServing && !isLimited && !process.channel && process.execve) restart()
  module.enableCompileCache(heapEnvironment.NODE_COMPILE_CACHE)
  const { runCli } = await import('../src/operator/cli.ts')
  process.exitCode = await runCli(process.argv.slice(2), process.env)
  // Once the command is done, the process must end.
  if (process.connected) process.disconnect()
} else {
  const pinned = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
  if (!existsSync(pinned)) {
    console.error('Wherry needs Node 24. Run "npm ci" in the checkout, which brings it along, or install Node 24.')
    process.exit(1)
  }
  const args = [...heapFlags, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(pinned, args, { stdio: 'inherit', env: { ...heapEnvironment, ...process.env } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

function restart() {
  // Otherwise Node would warn every operator that this call is experimental.
  process.emitWarning = () => {}
  const args = [...process.execArgv, ...heapFlags, ...process.argv.slice(1)]
  process.execve(process.execPath, [process.execPath, ...args], { ...heapEnvironment, ...process.env })
}

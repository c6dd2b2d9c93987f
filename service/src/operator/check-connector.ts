import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { checkoutDir } from '../config.ts'
import { loadConnector } from '../connectors/load-connectors.ts'
import { OperatorError } from '../errors.ts'

/**
 * Loads a connector, then runs the contract suites against its twin. `name` is the connector's folder, or the last part
 * of a folder in WHERRY_CONNECTORS.
 */
export async function checkConnector(name: string, configured: readonly string[]): Promise<void> {
  const folder = resolve(configured.find((place) => basename(place) === name) ?? name)
  if (!existsSync(folder)) {
    throw new OperatorError(`There is no folder ${folder}, and WHERRY_CONNECTORS names none that ends with ${name}.`)
  }
  await loadConnector(folder).catch((error: Error) => {
    throw new OperatorError(`The connector at ${folder} cannot be loaded: ${error.message}`)
  })
  if (!existsSync(join(folder, 'twin.ts'))) {
    throw new OperatorError(`${folder} has no twin.ts: the checks need something that answers as the tool does.`)
  }
  const runner = join(checkoutDir, 'node_modules/vitest/vitest.mjs')
  if (!existsSync(runner)) throw new OperatorError('The checks need the development packages. Run: npm ci')
  const config = join(checkoutDir, 'test/connectors/check/vitest.config.ts')
  const checks = spawn(process.execPath, [runner, 'run', '--reporter=verbose', '--config', config], {
    cwd: checkoutDir,
    stdio: 'inherit',
    env: { ...process.env, WHERRY_CHECKED_CONNECTOR: folder },
  })
  const code = await new Promise<number | null>((done, failed) => checks.once('exit', done).once('error', failed))
  if (code !== 0) throw new OperatorError(`The connector at ${folder} does not pass its contract tests yet.`)
}

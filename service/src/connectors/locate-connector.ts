import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const mains = ['index.ts', 'index.mjs', 'index.js']

/** The module's address: in the folder itself, or in a package that is installed where the service was started. */
export function locate(place: string): string {
  const folder = resolve(place)
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    const main = mains.map((name) => join(folder, name)).find((file) => existsSync(file))
    if (main === undefined) throw new Error(`the folder has none of ${mains.join(', ')}`)
    return pathToFileURL(main).href
  }
  try {
    return pathToFileURL(createRequire(resolve('connectors.js')).resolve(place)).href
  } catch {
    throw new Error('there is no such folder, and no such package is installed')
  }
}

/** The folder of the module, as stacks name it. Null if there is none. */
export function homeOf(place: string): string | null {
  try {
    return dirname(realpathSync(fileURLToPath(locate(place))))
  } catch {
    return null
  }
}

/** Changes with the code of the folder. Other files and installed packages do not count. */
export function hashCode(home: string): string {
  const hash = createHash('sha256')
  const files = globSync('**/*.{ts,mts,cts,js,mjs,cjs,json}', { cwd: home, exclude: ['**/node_modules/**'] })
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(join(home, file)))
  return hash.digest('hex')
}

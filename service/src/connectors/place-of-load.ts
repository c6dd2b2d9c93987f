import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { placeIn } from './kit/to-fault.ts'

/** What an error says that a module ended with while it was loaded. */
export interface LoadFailure {
  message: string
  stack: string
}

/** File and line at which a module of this folder cannot be loaded; null if the error does not tell. */
export async function placeOfLoad(home: string, { message, stack }: LoadFailure): Promise<string | null> {
  const missing = /^Cannot find (?:module|package) '([^']*)' imported from (.*)$/m.exec(message)
  if (missing) return placeOfImport(home, String(missing[2]), String(missing[1]))
  const place = placeIn(home, stack.split('\n'))
  if (place !== null || !/^SyntaxError\b/m.test(stack)) return place
  return placeOfSyntax(home)
}

/** The line that imports a missing module. The error names its file only. */
function placeOfImport(home: string, file: string, missing: string): string | null {
  if (!file.startsWith(`${home}/`)) return null
  const name = file.slice(home.length + 1)
  const lines = readFileSync(file, 'utf8').split('\n')
  const line = lines.findIndex((one) => /\b(?:from|import)\b/.test(one) && one.includes(basename(missing)))
  return line === -1 ? name : `${name}:${line + 1}`
}

/** The error of a file without types names no place. Node names it when it only checks the file. */
async function placeOfSyntax(home: string): Promise<string | null> {
  for (const file of globSync('**/*.{mjs,js,cjs}', { cwd: home, exclude: ['**/node_modules/**'] }).sort()) {
    const said = await new Promise<string>((done) => {
      execFile(process.execPath, ['--check', join(home, file)], { timeout: 30_000 }, (_, __, stderr) => done(stderr))
    })
    const place = placeIn(home, said.split('\n').slice(0, 1))
    if (place !== null) return place
  }
  return null
}

import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { OperatorError } from '../errors.ts'

const text = Type.String({ minLength: 1 })
const port = Type.Integer({ minimum: 1, maximum: 65_535 })

/** Settings of the demo. Ports stay the same, because imports and the webhook target name them. */
const settings = Type.Object({
  partner: Type.Object({ id: text, api_token: text, webhook_secret: text }),
  // The last one is missing where the demo was set up before customers could sign in.
  fernhill: Type.Object({ port, api_key: text, oauth_secret: Type.Optional(text) }),
  harbour: Type.Object({ port, token: text }),
})
export type DemoSettings = Static<typeof settings>

/** Our client at Fernhill Desk. */
export const demoClientId = 'wherry'

const compiled = Compile(settings)

/** Folder of everything the demo keeps. */
export const demoFolder = (home: string) => join(home, 'demo')

const fileIn = (home: string) => join(demoFolder(home), 'settings.json')

/** Null when the demo was never set up here. */
export function readDemoSettings(home: string): DemoSettings | null {
  const file = fileIn(home)
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const value = parse(content)
  if (compiled.Check(value)) return value
  throw new OperatorError(`${file} is damaged. Remove it, and start with WHERRY_DEMO=on to have the demo set up anew.`)
}

export function keepDemoSettings(home: string, value: DemoSettings): void {
  const file = fileIn(home)
  mkdirSync(demoFolder(home), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

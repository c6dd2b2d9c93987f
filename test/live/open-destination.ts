import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { readHarbour } from './desk-of-harbour.ts'
import { callGhost } from './ghost-seed.ts'
import type { Pair } from './pair.ts'
import { inDatabase, listMails, type Place, restart } from './place.ts'
import { prepareRedmine } from './prepare-redmine.ts'
import { prepareRt } from './prepare-rt.ts'
import { callRedmine } from './redmine-live.ts'
import { tokenScript } from './rt-perl.ts'
import { signIn } from './tryton-seed.ts'
import { callAs } from './wordpress-seed.ts'

// Destinations with a key that a test can revoke, each in the way in which its own people would do it.

type Opened = Pick<Pair, 'destination' | 'mails' | 'restart' | 'revoke' | 'close'>

const run = promisify(execFile)
const common = (place: Place) => ({
  mails: () => listMails(place),
  async restart() {
    await restart(place)
    await untilItAnswers(place.url)
  },
})

/** Waits until the server answers anything except that it is still starting. */
async function untilItAnswers(url: string): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    const status = await fetch(url, { redirect: 'manual' }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => null,
    )
    if (status !== null && status !== 503) return
    await sleep(200)
  }
  throw new Error(`${url} does not come back`)
}

/** Creates an administrator, whose key is deleted; Redmine then issues another key. */
export async function openRedmine(place: Place): Promise<Opened> {
  await prepareRedmine(place)
  const login = `mover-${randomBytes(4).toString('hex')}`
  const name = { login, firstname: 'Mover', lastname: 'Key', mail: `${login}@agents.example` }
  const made = await callRedmine(place, 'POST', '/users.json', { user: { ...name, generate_password: true } })
  // If this were requested over the API, Redmine would mail all administrators.
  await inDatabase(place, (ask) => ask('update users set admin = true where login = $1', [login]))
  const keyOf = async (): Promise<AccountAccess> => {
    const { json } = await callRedmine(place, 'GET', `/users/${made.json.user.id}.json`)
    return { instanceUrl: place.url, username: null, token: String(json.user.api_key) }
  }
  return {
    destination: await keyOf(),
    ...common(place),
    async revoke() {
      const owner = [made.json.user.id]
      await inDatabase(place, (ask) => ask(`delete from tokens where action = 'api' and user_id = $1`, owner))
      return keyOf()
    },
  }
}

/** Runs a Perl script beside a Request Tracker, with its settings. Returns the output. */
export async function runPerl({ folder }: Place, script: string, ...args: string[]): Promise<string> {
  const file = join(folder, `${randomBytes(4).toString('hex')}.pl`)
  await writeFile(file, script)
  const env = {
    PATH: '/usr/sbin:/usr/bin:/bin',
    HOME: folder,
    LANG: 'C.UTF-8',
    RT_SITE_CONFIG: join(folder, 'RT_SiteConfig.pm'),
    RT_SITE_CONFIG_DIR: join(folder, 'site.d'),
  }
  const { stdout } = await run('perl', [file, ...args], { uid: 33, gid: 33, cwd: folder, env })
  return stdout.trim()
}

/** Creates a token, which is deleted and replaced by another. */
export async function openRt(place: Place): Promise<Opened> {
  await prepareRt(place)
  const makeToken = async (): Promise<AccountAccess> => ({
    instanceUrl: place.url,
    username: null,
    token: await runPerl(place, tokenScript),
  })
  return {
    destination: await makeToken(),
    ...common(place),
    async revoke() {
      await inDatabase(place, (ask) => ask(`delete from authtokens where description = 'mover'`))
      return makeToken()
    },
  }
}

/** Tryton has passwords instead of keys, so another password is set. */
export async function openTryton(place: Place): Promise<Opened> {
  const admin = await signIn(place.access)
  const groups = await admin.read<{ id: number }>('res.group', [], ['name'])
  const [me] = await admin.read<{ company: number }>('res.user', [['login', '=', place.access.username]], ['company'])
  const login = `mover${randomBytes(4).toString('hex')}`
  const access = (token: string): AccountAccess => ({ instanceUrl: place.url, username: login, token })
  const first = newPassword()
  const [id = 0] = await admin.create('res.user', {
    login,
    name: 'Mover',
    password: first,
    groups: [['add', groups.map((group) => group.id)]],
    companies: [['add', [me?.company]]],
    company: me?.company,
  })
  return {
    destination: access(first),
    ...common(place),
    async revoke() {
      const next = newPassword()
      // The earlier session may have ended with the restart of the destination.
      await (await signIn(place.access)).call('res.user', 'write', [id], { password: next })
      // A new password alone does not end sessions.
      await inDatabase(place, (ask) => ask('delete from ir_session where create_uid = $1', [id]))
      return access(next)
    },
  }
}

/** Makes a password without repeated characters, because Tryton refuses those. */
function newPassword(): string {
  const signs = [...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789']
  return Array.from({ length: 16 }, () => signs.splice(randomInt(signs.length), 1)[0]).join('')
}

/** Creates an application password, which is revoked and replaced by another. */
export async function openWordpress(place: Place): Promise<Opened> {
  const call = callAs(place.access)
  const passwords = '/users/me/application-passwords'
  const make = async () => {
    const name = `mover-${randomBytes(4).toString('hex')}`
    const { uuid, password } = await call('POST', passwords, { name })
    return { uuid, access: { ...place.access, token: String(password) } }
  }
  let current = await make()
  return {
    destination: current.access,
    ...common(place),
    async revoke() {
      await call('DELETE', `${passwords}/${current.uuid}`)
      current = await make()
      return current.access
    },
  }
}

/** Creates an integration, which is deleted and replaced by another. */
export async function openGhost(place: Place): Promise<Opened> {
  const call = callGhost({ ...place.access, token: String(place.staffKey) })
  const make = async () => {
    const name = `mover-${randomBytes(4).toString('hex')}`
    const made = await call('POST', '/integrations/?include=api_keys', { integrations: [{ name }] })
    const [{ id, api_keys: keys }] = made.integrations
    const key = keys.find(({ type }: { type: string }) => type === 'admin')
    const token = key.secret.includes(':') ? key.secret : `${key.id}:${key.secret}`
    return { id, access: { ...place.access, token } }
  }
  let current = await make()
  return {
    destination: current.access,
    ...common(place),
    async revoke() {
      await call('DELETE', `/integrations/${current.id}/`)
      current = await make()
      return current.access
    },
  }
}

/** Harbour gets another token when it is restarted, and no longer accepts the old one. */
export async function openHarbour(
  // Slow enough that a test can act in the middle of a run.
  options: { latencyMs: number; maxFileBytes?: number } = { latencyMs: 250 },
): Promise<Required<Omit<Opened, 'mails'>> & { read: Pair['read'] }> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-pair-'))
  const dataFile = join(folder, 'harbour.db')
  const start = (port: number, token: string) => startHarbour({ ...options, port, dataFile, token })
  let token = 'first-token'
  let harbour = await start(0, token)
  const port = Number(new URL(harbour.url).port)
  const accessOf = () => ({ instanceUrl: harbour.baseUrl, username: null, token })
  const startAgain = async () => {
    await harbour.close()
    harbour = await start(port, token)
  }
  return {
    destination: accessOf(),
    read: async () => readHarbour(dataFile),
    restart: startAgain,
    async revoke() {
      token = 'second-token'
      await startAgain()
      return accessOf()
    },
    async close() {
      await harbour.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

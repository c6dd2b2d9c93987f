import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, open as openFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, test, vi } from 'vitest'
import { expectWhole, readBefore } from './expect-whole.ts'
import { openHarbour } from './open-destination.ts'
import type { Pair } from './pair.ts'
import { patienceMs, startPairService } from './pair-service.ts'
import { redmineToHarbour } from './pairs-of-desks.ts'
import { redmineToRedmine } from './pairs-of-projects.ts'
import { inDatabase, type Place, readPlaces } from './place.ts'
import { callRedmine } from './redmine-live.ts'
import { connect, lookForMail } from './walk.ts'

// A thread that is longer than any page, and a file that is larger than a worker's memory limit.

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { redmine } = readPlaces()
const isQuick = process.env.WHERRY_LIVE_QUICK === '1'
/** `--long` uses the longest possible threads, and takes most of an hour. */
const isLong = process.env.WHERRY_LIVE_LONG === '1'
const fileBytes = 320 * 1024 * 1024

describe.skipIf(!redmine || isQuick)('a very long thread (npm run live -- redmine)', () => {
  if (!redmine) return test.skip('not started: redmine', () => {})
  const { source, destination } = redmine
  const cleanups: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).toReversed()) await clean()
  })

  async function move(pair: Pair): Promise<void> {
    const service = await startPairService()
    cleanups.push(() => service.close())
    const before = await readBefore(pair)
    const portal = await connect(service, pair, true)
    await lookForMail(portal, pair.walk)
    await portal.until('migration_completed')
    await expectWhole(pair, { service, portal, before })
  }

  async function addIssue(): Promise<number> {
    const { json } = await callRedmine(source, 'GET', '/projects/alpha.json')
    const issue = { project_id: json.project.id, subject: 'The longest thread', description: 'See below.' }
    const { id } = (await callRedmine(source, 'POST', '/issues.json', { issue })).json.issue
    cleanups.push(() => callRedmine(source, 'DELETE', `/issues/${id}.json`))
    return id
  }

  test('and a large file arrive in Harbour complete, in order, and byte for byte', async () => {
    const issue = await addIssue()
    await addNotes(source, issue, isLong ? 10_000 : 2_000)
    await addFile(source, issue)
    const harbour = openHarbour({ maxFileBytes: 2 * fileBytes, latencyMs: 0 })
    cleanups.push(async () => (await harbour).close())
    await move(await redmineToHarbour(source, harbour))
  })

  test.runIf(isLong)('of 10,000 notes arrives in another Redmine', async () => {
    await addNotes(source, await addIssue(), 10_000)
    await move(await redmineToRedmine(source, destination))
  })
})

/** Writes the notes into the database itself, because the API would take an hour. */
async function addNotes(place: Place, issue: number, notes: number): Promise<void> {
  await inDatabase(place, (ask) =>
    ask(
      `insert into journals (journalized_id, journalized_type, user_id, notes, created_on, private_notes)
       select $1, 'Issue', (select id from users where login = 'ann.stone'),
         'Note ' || n || ' ünïcödé 🚀 ' || repeat('and some words more ', 20), at, n % 50 = 0
       from (select n, timestamp '2021-01-01' + n * interval '1 minute' as at from generate_series(1, $2) n) numbered`,
      [issue, notes],
    ),
  )
}

/** Puts the file beside the other files of this Redmine, because uploads are limited to smaller sizes. */
async function addFile({ folder, database, ...place }: Place, issue: number): Promise<void> {
  const where = join(folder, 'site/files/2021/01')
  await mkdir(where, { recursive: true })
  const file = await openFile(join(where, 'large.bin'), 'w')
  const digest = createHash('sha256')
  const chunk = randomBytes(1024 * 1024)
  for (let written = 0; written < fileBytes; written += chunk.length) {
    chunk.writeUInt32BE(written)
    digest.update(chunk)
    await file.write(chunk)
  }
  await file.close()
  await chown(join(where, 'large.bin'), 33, 33)
  await inDatabase({ folder, database, ...place }, (ask) =>
    ask(
      `insert into attachments (container_id, container_type, filename, disk_filename, disk_directory, filesize,
         content_type, digest, author_id, created_on)
       values ($1, 'Issue', 'large.bin', 'large.bin', '2021/01', $2, 'application/octet-stream', $3,
         (select id from users where login = 'ann.stone'), timestamp '2021-01-01')`,
      [issue, fileBytes, digest.digest('hex')],
    ),
  )
}

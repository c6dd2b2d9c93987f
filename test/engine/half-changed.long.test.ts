import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { Connector, FoundRecord, StoredContent, Writer } from '../../service/src/connectors/contract/contract.ts'
import { written } from '../../service/src/connectors/kit/outcomes.ts'
import { writeEach } from '../../service/src/connectors/kit/write-each.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors } from './plain-connectors.ts'
import { type PlainFault, type PlainTool, startPlainTool } from './plain-tool.ts'
import { smallDesk } from './small-desk.ts'

// A tool that changes a ticket with several requests: the subject, then each tag, then all other fields.

const limit = { timeout: 900_000 }
const ticket = '3'
let tool: PlainTool
let journey: Journey
afterEach(async () => {
  await journey?.close()
  await tool?.close()
})

const plain = plainConnectors.find(({ tool: name }) => name === 'plain_c') as Connector

/** The contents that the tool has after each request of a change. */
function stepsOf(old: StoredContent, next: StoredContent): StoredContent[] {
  const tagsOf = ({ fields }: StoredContent) => (fields.tags ?? []) as string[]
  const gone = tagsOf(old).filter((tag) => !tagsOf(next).includes(tag))
  const added = tagsOf(next).filter((tag) => !tagsOf(old).includes(tag))
  let step: StoredContent = { ...old, fields: { ...old.fields, subject: next.fields.subject } }
  const steps = [step]
  for (const tag of [...gone, ...added]) {
    const tags = tagsOf(step)
    const changed = tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag]
    step = { ...step, fields: { ...step.fields, tags: changed } }
    steps.push(step)
  }
  return [...steps, next]
}

function steppingConnector(hasVersions: boolean): Connector {
  const { destination } = plain
  if (!destination) throw new Error('there is no plain tool')
  const versionOf = ({ fields, customFields }: StoredContent) =>
    hasVersions
      ? createHash('sha256')
          .update(JSON.stringify([fields, customFields]))
          .digest('hex')
      : null
  return {
    ...plain,
    tool: 'stepping',
    destination: {
      ...destination,
      async open(account, family): Promise<Writer> {
        const inner = await destination.open(account, family)
        const versioned = (found: FoundRecord): FoundRecord => ({ ...found, version: versionOf(found) })
        const find: Writer['find'] = async (entity, sought) => (await inner.find(entity, sought)).map(versioned)
        return {
          ...inner,
          find,
          write: (entity, records) =>
            writeEach(records, async (record) => {
              const { key, destinationId } = record
              const [old] = destinationId === null ? [] : await find(entity, [{ key, destinationId, parent: null }])
              const next = await inner.asStored(entity, record)
              for (const step of old && entity === 'tickets' ? stepsOf(old, next).slice(0, -1) : [])
                await inner.write(entity, [{ ...record, ...step, customFields: record.customFields }])
              const [outcome] = await inner.write(entity, [record])
              if (outcome?.result !== 'written') throw new Error('the plain tool did not write it')
              return written(key, outcome.destinationId, { url: null, version: versionOf(next) })
            }),
        }
      },
    },
  }
}

/** Copies the desk, changes a ticket there, and breaks its change off after some of the requests. */
async function start(hasVersions: boolean, requests: number, fault: PlainFault = 'drop') {
  let left = Number.POSITIVE_INFINITY
  tool = await startPlainTool({
    onRequest: ({ method, url }) => {
      if (method !== 'PUT' || !url.startsWith('/tickets/')) return 'ok'
      left -= 1
      return left < 0 ? fault : 'ok'
    },
  })
  journey = await startJourney({
    between: { source: smallDesk(4) },
    destination: { tool: 'stepping', url: tool.url, connectors: [steppingConnector(hasVersions)] },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  const before = structuredClone(stored())
  await changeInDesk({ subject: 'Changed in the source', description: 'Another text', tags: ['new', 'newer'] })
  const runId = await journey.start('delta')
  left = requests
  return {
    runId,
    async breakOff(subject = 'Changed in the source') {
      for (let slices = 0; left >= 0 && slices < 50; slices += 1) {
        await journey.slice(runId)
        await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
      }
      expect(left).toBeLessThan(0)
      const half = stored()
      expect(half.fields.subject).toBe(subject)
      expect(half.fields.description).toBe(before.fields.description)
    },
    heal(more = Number.POSITIVE_INFINITY) {
      left = more
    },
  }
}

const thing = () => {
  const found = [...tool.things.values()].find(({ key }) => key.endsWith(`/tickets/${ticket}`))
  if (!found) throw new Error('the ticket is not there')
  return found
}
const stored = () => thing().content as StoredContent

async function changeInDesk(fields: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${journey.fernhill.url}/api/v1/tickets/${ticket}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  expect(answer.status).toBe(200)
}

const row = () =>
  journey.db
    .selectFrom('id_map')
    .select(['state', 'code', 'warned', 'changing'])
    .where('entity', '=', 'tickets')
    .where('source_id', '=', ticket)
    .executeTakeFirstOrThrow()

/** As the partner is told. */
async function editedTickets(): Promise<number> {
  const { warnings } = await journey.status()
  const told = (warnings as { entity: string; code: string; count: number }[]).filter(({ code }) => code === 'edited')
  return told.reduce((sum, { count }) => sum + count, 0)
}

const editByHand = (fields: Record<string, unknown>) => {
  thing().content = { ...stored(), fields: { ...stored().fields, ...fields } }
}

describe.each([
  ['with versions', true],
  ['without versions', false],
])('a tool %s', (_name, hasVersions) => {
  // After one request the subject is changed; after two, one of the tags.
  test.each([1, 2])('a change that broke off after %i requests is finished', limit, async (requests) => {
    const { runId, breakOff, heal } = await start(hasVersions, requests)
    await breakOff()
    heal()
    await journey.work(runId)
    expect(await row()).toMatchObject({ state: 'written', code: null, changing: null })
    expect(await editedTickets()).toBe(0)
    expect(stored().fields).toMatchObject({ subject: 'Changed in the source', tags: ['new', 'newer'] })
    expect(String(stored().fields.description)).toContain('Another text')
  })

  test.each([
    ['a field that the change would have changed, too', { description: 'Changed by a person' }],
    ['a field that the change leaves alone', { requester: null }],
    ['a list that the change was about', { tags: ['new', 'by a person'] }],
  ])('an edit by people in the middle of a change is kept: %s', limit, async (_what, edit) => {
    const { runId, breakOff, heal } = await start(hasVersions, 1)
    await breakOff()
    editByHand(edit)
    heal()
    await journey.work(runId)
    expect(stored().fields).toMatchObject(edit)
    expect(await editedTickets()).toBe(1)
  })

  test('a change that broke off twice, each time with other content, is finished', limit, async () => {
    const { runId, breakOff, heal } = await start(hasVersions, 1)
    await breakOff()
    await changeInDesk({ subject: 'Changed once more', priority: 'low' })
    heal(1)
    await breakOff('Changed once more')
    heal()
    await journey.work(runId)
    expect(await editedTickets()).toBe(0)
    expect(stored().fields).toMatchObject({ subject: 'Changed once more', tags: ['new', 'newer'] })
  })

  test('an undo removes a ticket whose change broke off', limit, async () => {
    const { breakOff, heal } = await start(hasVersions, 1)
    await breakOff()
    heal()
    await journey.work(await journey.start('undo'))
    expect(tool.things.size).toBe(0)
    expect((await row()).state).toBe('removed')
  })

  test('after a refusal in the middle of a change the ticket does not count as edited', limit, async () => {
    const { runId, breakOff } = await start(hasVersions, 1, { status: 500 })
    await breakOff()
    await journey.work(runId)
    expect((await row()).warned).toEqual(expect.arrayContaining(['differs', 'refused']))
    expect(await editedTickets()).toBe(0)
    await journey.work(await journey.start('undo'))
    expect(tool.things.size).toBe(0)
  })
})

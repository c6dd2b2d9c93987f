import { expect, test } from 'vitest'
import type { FoundRecord, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { fileOf, outcomeId } from './outgoing.ts'
import { openTwinBench } from './twin-bench.ts'

// Parts of a record that Pipedrive does not keep.

const bench = openTwinBench()
const { writer } = bench
const record = (fields: OutgoingRecord['fields'], destinationId: string | null = null): OutgoingRecord => ({
  ...{ key: 'imp/1', revision: 1, destinationId, createdBy: null, customFields: {}, createdAt: null, updatedAt: null },
  fields,
})
/** Every deal of Pipedrive is in a stage. */
const inStage = () => ({
  stage: { entity: 'stages', key: 'stage', destinationId: String(bench.twin.account.stages.list()[0]?.id) },
})
const owned = () => ({ owner: String(bench.twin.users.mia.id) })
const moments = { started_at: '2026-03-04T05:06:00.000Z', due_at: '2026-03-09T00:00:00.000Z' }

test.each([
  ['deals', { name: 'Fleet', closed_at: '2026-03-04T05:06:00.000Z' }],
  ['activities', { type: 'call', subject: 'Ring', ...moments }],
])('a moment of %s that is lost is known from the content, in case the answer is lost', async (entity, fields) => {
  const one = record({ ...fields, ...owned(), ...(entity === 'deals' && inStage()) })
  const [outcome] = await writer().write(entity, [one])
  expect(outcome).toMatchObject({ result: 'written', losses: ['moment_not_kept'] })
  expect(await writer().lossesOf?.(entity, one, {} as FoundRecord)).toEqual(['moment_not_kept'])
})

test('a deal without a stage arrives in the first one, and that is told', async () => {
  const one = record({ name: 'Fleet', ...owned() })
  const [outcome] = await writer().write('deals', [one])
  expect(outcome).toMatchObject({ result: 'written', losses: ['stage_chosen'] })
  expect(await writer().lossesOf?.('deals', one, {} as FoundRecord)).toEqual(['stage_chosen'])
  const changed = record({ name: 'Fleet 2', ...owned() }, outcomeId(outcome))
  expect((await writer().write('deals', [changed]))[0]).toMatchObject({ losses: ['stage_chosen'] })
})

test('the plan says that people and organizations are not looked for, and where deals without a stage arrive', async () => {
  const told = await writer().preflight?.()
  expect(told?.find(({ code }) => code === 'existing_records')).toMatchObject({
    ...{ isFine: false, isBlocking: false, message: expect.stringContaining('a second time') },
    fix: expect.stringContaining('Merge the duplicates'),
  })
  expect(told?.find(({ code }) => code === 'deals_without_stage')).toMatchObject({ isBlocking: false })
})

test('a record that loses nothing foresees no loss', async () => {
  const won = record({ name: 'Fleet', ...owned(), ...inStage(), status: 'won', closed_at: '2026-03-04T05:06:00.000Z' })
  expect(await writer().lossesOf?.('deals', won, {} as FoundRecord)).toEqual([])
  const call = record({ type: 'call', subject: 'Ring', ...owned(), started_at: moments.started_at })
  expect(await writer().lossesOf?.('activities', call, {} as FoundRecord)).toEqual([])
})

test.each([
  ['accounts', { name: 'Acme' }, 'owner'],
  ['contacts', { name: 'Ada' }, 'owner'],
  ['deals', { name: 'Fleet' }, 'owner'],
  ['activities', { type: 'call', subject: 'Ring' }, 'owner'],
  ['notes', { body: 'Hello' }, 'author'],
])('%s that name nobody belong to the owner of the token, and that is told', async (entity, fields, who) => {
  const destinationId = outcomeId((await writer().write('contacts', [record({ name: 'Bo' })]))[0])
  const related = { entity: 'contacts', key: 'k', destinationId }
  const beside = { ...(entity === 'notes' && { related }), ...(entity === 'deals' && inStage()) }
  const nobody = { ...record({ ...fields, ...beside }), key: 'imp/2' }
  const [outcome] = await writer().write(entity, [nobody])
  expect(outcome).toMatchObject({ result: 'written', losses: ['person_chosen'] })
  expect(await writer().lossesOf?.(entity, nobody, {} as FoundRecord)).toEqual(['person_chosen'])
  const changed = { ...nobody, destinationId: outcomeId(outcome), fields: { ...nobody.fields, ...fields } }
  expect((await writer().write(entity, [changed]))[0]).toMatchObject({ losses: ['person_chosen'] })
  const named = { ...changed, fields: { ...changed.fields, [who]: String(bench.twin.users.mia.id) } }
  const [found] = await writer().write(entity, [named])
  expect(found).not.toHaveProperty('losses')
})

test('notes of an account that cannot name authors are told once, as a field that Pipedrive lacks', async () => {
  const destinationId = outcomeId((await writer().write('contacts', [record({ name: 'Bo' })]))[0])
  const note = { ...record({ body: 'Hello', related: { entity: 'contacts', key: 'k', destinationId } }), key: 'imp/2' }
  for (const user of bench.twin.account.users) user.isAdmin = false
  const [outcome] = await writer().write('notes', [note])
  expect(outcome).toMatchObject({ result: 'written' })
  expect(outcome).not.toHaveProperty('losses')
})

/** Pipedrive does not document whether a record can get an owner who was deactivated. */
test.each([
  ['accounts', '/api/v2/organizations', { name: 'Acme' }, 'owner'],
  ['contacts', '/api/v2/persons', { name: 'Ada' }, 'owner'],
  ['deals', '/api/v2/deals', { name: 'Fleet' }, 'owner'],
  ['activities', '/api/v2/activities', { type: 'call', subject: 'Ring' }, 'owner'],
  ['notes', '/api/v1/notes', { body: 'Hello' }, 'author'],
])('%s whose owner Pipedrive refuses arrive without the owner, and that is told', async (entity, path, fields, who) => {
  const destinationId = outcomeId((await writer().write('contacts', [record({ name: 'Bo' })]))[0])
  const related = { entity: 'contacts', key: 'k', destinationId }
  const owner = String(bench.twin.users.mia.id)
  const error = who === 'owner' ? 'owner_id: the user is not active' : 'user_id: the user is not active'
  bench.twin.faults.next('POST', path, { kind: 'answered', status: 400, json: { success: false, error } })
  const one = {
    ...record({
      ...fields,
      [who]: owner,
      ...(entity === 'notes' && { related }),
      ...(entity === 'deals' && inStage()),
    }),
    key: 'imp/2',
  }
  const [outcome] = await writer().write(entity, [one])
  expect(outcome).toMatchObject({ result: 'written', losses: ['person_replaced'] })
  // Were the answer lost, the record would be found as it was sent, and the loss would be told.
  const parent = entity === 'notes' ? related : null
  const [found] = await writer().find(entity, [{ key: one.key, destinationId: null, parent }])
  expect(found).toMatchObject({ losses: ['person_replaced'], fields: (await writer().asStored(entity, one)).fields })
})

test('a file whose upload was not followed by its name is unfinished, and gets its name from the next attempt', async () => {
  const destinationId = outcomeId((await writer().write('contacts', [record({ name: 'Bo' })]))[0])
  const parent = { entity: 'contacts', key: 'k', destinationId }
  const one = { ...record({ file_name: 'a.txt', parent }), key: 'imp/file' }
  const find = async () => (await writer().find('attachments', [{ key: one.key, destinationId: null, parent }]))[0]
  bench.twin.faults.next('PUT', '/api/v1/files', { kind: 'dropped' })
  await writer()
    .writeFile?.('attachments', fileOf(one, 'abc'))
    .catch(() => {})
  const there = await find()
  expect(there).toMatchObject({ isUnfinished: true, fields: { file_name: 'a.txt' } })
  await writer().writeFile?.('attachments', fileOf({ ...one, destinationId: String(there?.destinationId) }, 'abc'))
  expect((await find())?.isUnfinished).toBeUndefined()
})

test('a refusal about something else stays a refusal', async () => {
  const json = { success: false, error: 'name is too long' }
  bench.twin.faults.next('POST', '/api/v2/persons', { kind: 'answered', status: 400, json })
  const [outcome] = await writer().write('contacts', [record({ name: 'Ada', owner: String(bench.twin.users.mia.id) })])
  expect(outcome).toMatchObject({ result: 'refused', message: 'name is too long' })
})

test('the end of a custom value that is too long for Pipedrive is lost, and that is told', async () => {
  const custom = (type: 'long_text' | 'option', value: string) => ({ a: { label: 'Story', type, value } })
  for (const [customFields, losses] of [
    [custom('long_text', `${'é'.repeat(65_535)}!`), ['text_shortened']],
    [custom('long_text', 'é'.repeat(65_535)), []],
    [custom('option', 'x'.repeat(256)), ['text_shortened']],
    [custom('option', 'x'.repeat(255)), []],
  ] as const) {
    const one = { ...record({ name: 'Acme', ...owned() }), customFields }
    const [outcome] = await writer().write('accounts', [one])
    expect(outcome).toMatchObject({ result: 'written', ...(losses.length > 0 && { losses }) })
    expect(await writer().lossesOf?.('accounts', one, {} as FoundRecord)).toEqual(losses)
  }
})

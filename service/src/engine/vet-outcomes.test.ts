import { expect, test } from 'vitest'
import type { OutgoingRecord, RemovableRecord, WriteOutcome, Writer } from '../connectors/contract/contract.ts'
import { ConnectorFaultError } from '../errors.ts'
import { vetOutcomes } from './vet-outcomes.ts'

const record = (key: string, version: string | null = null): OutgoingRecord => ({
  key,
  revision: 1,
  destinationId: null,
  version,
  createdBy: null,
  fields: {},
  customFields: {},
  createdAt: null,
  updatedAt: null,
})
const written = (key: string, destinationId = '1'): WriteOutcome => ({
  key,
  result: 'written',
  destinationId,
  url: null,
  version: null,
})

const answering = (answers: unknown): Writer => {
  const answer = async () => answers as never
  const writer: Writer = {
    describe: answer,
    users: answer,
    write: answer,
    writeFile: answer,
    find: answer,
    remove: answer,
    asStored: answer,
  }
  return vetOutcomes('odd', writer, 'helpdesk')
}
const write = (answers: unknown, records = [record('a'), record('b')]) => answering(answers).write('tickets', records)

test.each([
  ['is no list', null],
  ['is about a record that was not sent', [written('a'), written('b'), written('c')]],
  ['names a record twice', [written('a'), written('a'), written('b')]],
  ['has no key', [written('a'), {}]],
  ['is empty in the place of one', [written('a'), null]],
  ['says of one that it was not tried, without an error', [written('a'), { key: 'b', result: 'untried' }]],
  ['says of all that they were not tried', ['a', 'b'].map((key) => ({ key, result: 'untried' }))],
])('an answer that %s puts the whole call in doubt', async (_name, answers) => {
  await expect(write(answers)).rejects.toThrow(ConnectorFaultError)
})

test.each([
  ['is left out', []],
  ['is written without an id', [written('b', '')]],
  ['is refused without a reason', [{ key: 'b', result: 'refused' }]],
  ['is missing though we named no version', [{ key: 'b', result: 'missing' }]],
  ['failed without a word whether it was sent', [{ key: 'b', result: 'failed', error: new Error('no') }]],
  ['is something else', [{ key: 'b', result: 'done' }]],
  ['has an endless id', [written('b', 'x'.repeat(10_001))]],
  ['has a number as its version', [{ ...written('b'), version: 7 }]],
  ['has an object as its address', [{ ...written('b'), url: {} }]],
  ['lost something unheard of', [{ ...written('b'), losses: ['everything'] }]],
  ['lost a text instead of a list', [{ ...written('b'), losses: 'assignee_refused' }]],
  ['is refused in a whole book', [{ key: 'b', result: 'refused', code: 'no', message: 'x'.repeat(10_001) }]],
])('a record that %s is in doubt alone', async (_name, answers) => {
  const outcomes = await write([written('a'), ...answers])
  expect(outcomes).toEqual([
    written('a'),
    { key: 'b', result: 'failed', error: expect.any(ConnectorFaultError), isSent: true },
  ])
})

test('plausible outcomes pass unchanged', async () => {
  const answers = [written('a'), { key: 'b', result: 'changed' }]
  expect(await write(answers, [record('a'), record('b', '7')])).toEqual(answers)
})

test('two new records with one id put the whole call in doubt, unless the destination unites such records', async () => {
  const capabilities = { deliveryClass: 'C', batchSize: 2, concurrency: 1, settleMs: 0 }
  const entities = { tickets: { fields: {} }, contacts: { fields: {}, unites: { kind: 'person', by: [] } } }
  const outcomes = [written('a'), written('b')]
  const odd = { describe: async () => ({ capabilities, entities }), write: async () => outcomes } as unknown as Writer
  const writer = vetOutcomes('odd', odd, 'helpdesk')
  await writer.describe()
  const fresh = [record('a'), record('b')]
  await expect(writer.write('tickets', fresh)).rejects.toThrow('write(tickets) gave two new records one id')
  expect(await writer.write('contacts', fresh)).toEqual(outcomes)
  const known = fresh.map((one) => ({ ...one, destinationId: '1' }))
  expect(await writer.write('tickets', known)).toEqual(outcomes)
})

test('a found record must be a requested one, and a removal has one outcome for each record', async () => {
  const sought = { key: 'a', destinationId: null, parent: null }
  await expect(answering([{ key: 'b', destinationId: '1' }]).find('tickets', [sought])).rejects.toThrow('not sought')
  await expect(answering([{ key: 'a' }]).find('tickets', [sought])).rejects.toThrow('without an id')
  await expect(
    answering([{ key: 'a', destinationId: '1', isUnreadable: true }]).find('tickets', [sought]),
  ).rejects.toThrow('isUnreadable')
  const removable: RemovableRecord = { ...sought, destinationId: '1', version: null }
  const twice = [removable, { ...removable, destinationId: '2' }]
  const removed = { key: 'a', result: 'removed' }
  expect(await answering([removed, removed]).remove('tickets', twice)).toHaveLength(2)
  await expect(answering([removed]).remove('tickets', twice)).rejects.toThrow(ConnectorFaultError)
  await expect(answering([{ key: 'a' }]).remove('tickets', [removable])).rejects.toThrow(ConnectorFaultError)
})

test('words of a tool that no database keeps are cleaned, and an id of that kind is a fault', async () => {
  const refused = { key: 'b', result: 'refused', code: 'odd\0', message: 'cut \ud83d' }
  const [, outcome] = await write([written('a'), refused])
  expect(outcome).toEqual({ key: 'b', result: 'refused', code: 'odd', message: 'cut \ufffd' })
  for (const odd of [{ destinationId: 'a\0' }, { url: 'https://a.example/\ud83d' }, { version: '\0' }]) {
    const [, doubtful] = await write([written('a'), { ...written('b'), ...odd }])
    expect(doubtful).toEqual({ key: 'b', result: 'failed', error: expect.any(ConnectorFaultError), isSent: true })
    const sought = { key: 'a', destinationId: null, parent: null }
    const found = { key: 'a', destinationId: '1', url: null, version: null, ...odd }
    await expect(answering([found]).find('tickets', [sought])).rejects.toThrow('found a record whose')
  }
})

const side = { kind: 'labels', mark: 'm', destinationId: '1', version: null }
const removed = { kind: 'labels', mark: 'm', result: 'removed' }
const kept = { ...side, result: 'kept', url: null, message: 'In use' }
const removeSides = (answers: unknown) => {
  const writer = { removeSides: async () => answers } as unknown as Writer
  return vetOutcomes('odd', writer, 'helpdesk').removeSides?.([side], { isForced: false })
}

test.each([
  ['about a record of the source', [{ ...kept, kind: 'tickets', mark: '5' }]],
  ['twice about one', [removed, removed]],
  ['about none', []],
  ['that is no list', null],
  ['that there is not', [{ ...removed, result: 'perhaps' }]],
  ['without a reason', [{ ...kept, message: undefined }]],
])('an outcome %s of a side record is a fault', async (_, answers) => {
  await expect(removeSides(answers)).rejects.toThrow(ConnectorFaultError)
})

test('proper outcomes of side records pass, with words that the database keeps', async () => {
  expect(await removeSides([removed])).toEqual([removed])
  expect(await removeSides([{ ...kept, message: 'a\0' }])).toEqual([{ ...kept, message: 'a' }])
})

test('a removal that keeps a record gives a reason', async () => {
  const removable = { key: 'a', destinationId: '1', parent: null, version: null }
  await expect(answering([{ key: 'a', result: 'kept' }]).remove('tickets', [removable])).rejects.toThrow('a reason')
})

const ticket = { ...record('a'), parts: [1, 2].map((at) => ({ ...record(`a${at}`), entity: 'comments' })) }
const inDoubt = (key: string) => ({ key, result: 'failed', error: expect.any(ConnectorFaultError), isSent: true })

test('each part of a record has its own outcome', async () => {
  const refused = { key: 'a2', result: 'refused', code: 'blank', message: 'No body' }
  const answers = [written('a'), written('a1'), refused]
  expect(await write(answers, [ticket])).toEqual(answers)
})

test('a part without an outcome is in doubt alone', async () => {
  expect(await write([written('a'), written('a2')], [ticket])).toEqual([written('a'), written('a2'), inDoubt('a1')])
})

test('a refusal names only parts that the record was sent with', async () => {
  const refusal = (refusedParts: unknown) => ({ key: 'a', result: 'refused', code: 'no', message: 'No', refusedParts })
  for (const parts of [undefined, [], ['a1'], ['a2', 'a1']])
    expect((await write([refusal(parts)], [ticket]))[0]).toEqual(refusal(parts))
  for (const parts of [['a3'], ['a'], 'a1', null, [1]])
    expect((await write([refusal(parts)], [ticket]))[0]).toEqual(inDoubt('a'))
})

test('an outcome for a part that was not sent puts the whole call in doubt', async () => {
  await expect(write([written('a'), written('a1'), written('a3')], [ticket])).rejects.toThrow('not sent')
})

test('parts share the fate of the record that carries them, and cannot arrive without it', async () => {
  const refused = { key: 'a', result: 'refused', code: 'blank', message: 'No subject' }
  const untried = (key: string) => ({ key, result: 'untried' })
  expect(await write([refused], [ticket])).toEqual([refused, untried('a1'), untried('a2')])
  expect(await write([refused, written('a1')], [ticket])).toEqual([refused, inDoubt('a1'), untried('a2')])
  const failed = { key: 'a', result: 'failed', error: new Error('no'), isSent: false }
  expect(await write([failed], [ticket])).toEqual([failed, { ...failed, key: 'a1' }, { ...failed, key: 'a2' }])
})

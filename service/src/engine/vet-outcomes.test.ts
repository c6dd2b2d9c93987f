import { expect, test } from 'vitest'
import type { OutgoingRecord, RemovableRecord, WriteOutcome, Writer } from '../connectors/contract.ts'
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
  return vetOutcomes('odd', {
    describe: answer,
    users: answer,
    write: answer,
    writeFile: answer,
    find: answer,
    remove: answer,
    asStored: answer,
  })
}
const write = (answers: unknown, records = [record('a'), record('b')]) => answering(answers).write('tickets', records)

test.each([
  ['is no list', null],
  ['is about a record that was not sent', [written('a'), written('b'), written('c')]],
  ['names a record twice', [written('a'), written('a'), written('b')]],
  ['has no key', [written('a'), {}]],
  ['is empty in the place of one', [written('a'), null]],
  ['says of all that they were not tried', ['a', 'b'].map((key) => ({ key, result: 'untried' }))],
])('an answer that %s makes all of the call doubtful', async (_name, answers) => {
  await expect(write(answers)).rejects.toThrow(ConnectorFaultError)
})

test.each([
  ['is left out', []],
  ['is written without an id', [written('b', '')]],
  ['is refused without a reason', [{ key: 'b', result: 'refused' }]],
  ['is missing though we named no version', [{ key: 'b', result: 'missing' }]],
  ['failed without a word whether it was sent', [{ key: 'b', result: 'failed', error: new Error('no') }]],
  ['is something else', [{ key: 'b', result: 'done' }]],
])('a record that %s is in doubt alone', async (_name, answers) => {
  const outcomes = await write([written('a'), ...answers])
  expect(outcomes).toEqual([
    written('a'),
    { key: 'b', result: 'failed', error: expect.any(ConnectorFaultError), isSent: true },
  ])
})

test('outcomes that can be true pass as they are', async () => {
  const answers = [written('a'), { key: 'b', result: 'changed' }]
  expect(await write(answers, [record('a'), record('b', '7')])).toEqual(answers)
})

test('a found record must have been sought, and a removal has one outcome for each record', async () => {
  const sought = { key: 'a', destinationId: null, parent: null }
  await expect(answering([{ key: 'b', destinationId: '1' }]).find('tickets', [sought])).rejects.toThrow('not sought')
  await expect(answering([{ key: 'a' }]).find('tickets', [sought])).rejects.toThrow('without an id')
  const removable: RemovableRecord = { ...sought, destinationId: '1', version: null }
  const twice = [removable, { ...removable, destinationId: '2' }]
  const removed = { key: 'a', result: 'removed' }
  expect(await answering([removed, removed]).remove('tickets', twice)).toHaveLength(2)
  await expect(answering([removed]).remove('tickets', twice)).rejects.toThrow(ConnectorFaultError)
  await expect(answering([{ key: 'a' }]).remove('tickets', [removable])).rejects.toThrow(ConnectorFaultError)
})

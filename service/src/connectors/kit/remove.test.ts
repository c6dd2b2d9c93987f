import { expect, test } from 'vitest'
import type { CountOthers, RemovableRecord } from '../contract/contract.ts'
import type { Sent } from './http.ts'
import { othersAdded, type RemoveRules, removeEach, removeNested, removeRecords } from './remove.ts'
import { movedFrom, versionInTree, versionOf } from './version.ts'

type Kept = { id: number; text: string }

const record = (id: string, version: string | null): RemovableRecord => ({
  key: `k${id}`,
  destinationId: id,
  parent: null,
  version,
})
const done: Sent = { result: 'done', status: 200, headers: {}, json: null }
const refused = (status: number): Sent => ({ result: 'refused', status, code: 'x', message: 'No', json: null })

function toolWith(kept: Kept[], more: Partial<RemoveRules<Kept>> = {}) {
  const deleted: string[] = []
  const rules: RemoveRules<Kept> = {
    byIds: async (ids) => kept.filter(({ id }) => ids.includes(String(id))),
    toFound: ({ text }) => ({ version: versionOf(text) }),
    remove: async (id) => {
      deleted.push(id)
      return done
    },
    ...more,
  }
  return { deleted, remove: (...records: RemovableRecord[]) => removeRecords('Acme', rules, records) }
}

test('an unchanged record is removed, a changed one stays, and a deleted one is reported as missing', async () => {
  const { deleted, remove } = toolWith([
    { id: 1, text: 'ours' },
    { id: 2, text: 'edited' },
  ])
  const outcomes = await remove(record('1', versionOf('ours')), record('2', versionOf('ours')), record('3', null))
  expect(outcomes).toEqual([
    { key: 'k1', result: 'removed' },
    { key: 'k2', result: 'kept', message: 'It has been changed since it was imported.' },
    { key: 'k3', result: 'missing' },
  ])
  expect(deleted).toEqual(['1'])
})

test('a record that vanishes while it is looked at is reported as missing, not as changed', async () => {
  const kept = [{ id: 1, text: 'ours' }]
  const toFound = ({ text }: Kept) => {
    kept.pop()
    return { version: versionOf(text, 'without its messages') }
  }
  const { deleted, remove } = toolWith(kept, { toFound })
  expect(await remove(record('1', versionOf('ours')))).toEqual([{ key: 'k1', result: 'missing' }])
  expect(deleted).toEqual([])
})

test('a record that vanishes before it is deleted is reported as missing, whatever the tool answers', async () => {
  const kept = [{ id: 1, text: 'ours' }]
  const remove = async () => {
    kept.pop()
    return refused(405)
  }
  const tool = toolWith(kept, { remove })
  expect(await tool.remove(record('1', versionOf('ours')))).toEqual([{ key: 'k1', result: 'missing' }])
})

test('without a version an edited record is removed too, unless something needs it', async () => {
  const findNeed = async ({ id }: Kept) => (id === 2 ? 'People have answered it.' : null)
  const kept = [1, 2].map((id) => ({ id, text: 'edited' }))
  const { deleted, remove } = toolWith(kept, { findNeed })
  expect(await remove(record('1', null), record('2', null))).toEqual([
    { key: 'k1', result: 'removed' },
    { key: 'k2', result: 'kept', message: 'People have answered it.', isInUse: true },
  ])
  expect(deleted).toEqual(['1'])
})

test('a record with messages of others stays, and all records are asked about at once', async () => {
  const kept = [1, 2, 3, 4].map((id) => ({ id, text: 'ours' }))
  const inside = { ids: [['m']], own: 0 }
  const deleted: string[] = []
  const rules: RemoveRules<Kept> = {
    byIds: async (ids) => kept.filter(({ id }) => ids.includes(String(id))),
    toFound: ({ id, text }) => ({ version: versionOf(text), ...(id !== 3 && { inside }) }),
    remove: async (id) => {
      deleted.push(id)
      return done
    },
  }
  const asked: string[][] = []
  const countOthers: CountOthers = async (some) => {
    asked.push(some.map(({ destinationId }) => destinationId))
    return some.map(({ destinationId }) => (destinationId === '2' ? 1 : 0))
  }
  const ours = ['1', '2', '3'].map((id) => record(id, versionOf('ours')))
  // Without a version the record goes in any state.
  const outcomes = await removeRecords('Acme', rules, [...ours, record('4', null)], countOthers)
  expect(outcomes.map(({ key, result }) => [key, result])).toEqual([
    ['k1', 'removed'],
    ['k2', 'kept'],
    ['k3', 'removed'],
    ['k4', 'removed'],
  ])
  expect(outcomes[1]).toMatchObject({ message: othersAdded })
  expect([asked, deleted]).toEqual([[['1', '2']], ['1', '3', '4']])
})

test('a record that the tool itself moved is removed', async () => {
  const written = versionInTree('5', 'ours')
  const rules = {
    toFound: () => ({ version: versionInTree(null, 'ours') }),
    isMoved: async (before: string, now: string) => movedFrom(before, now) === '5',
  }
  expect(await toolWith([{ id: 1, text: 'x' }], rules).remove(record('1', written))).toEqual([
    { key: 'k1', result: 'removed' },
  ])
  expect(movedFrom(versionInTree('5', 'ours'), versionInTree(null, 'edited'))).toBeNull()
  expect(movedFrom(versionInTree(null, 'ours'), versionInTree('5', 'ours'))).toBeNull()
})

test("a record deleted at the last moment is missing, and a record that the tool keeps stays with the tool's reason", async () => {
  const kept = [1, 2, 3].map((id) => ({ id, text: 'x' }))
  const { remove } = toolWith(kept, { removeAll: async () => [refused(404), refused(410), refused(409)] })
  expect(await remove(record('1', null), record('2', null), record('3', null))).toEqual([
    { key: 'k1', result: 'missing' },
    { key: 'k2', result: 'missing' },
    { key: 'k3', result: 'kept', message: 'Acme does not delete it: No' },
  ])
  const told = toolWith(kept, {
    remove: async () => refused(409),
    tellKept: ({ message }) => `${message}, it is in use.`,
  })
  expect(await told.remove(record('1', null))).toMatchObject([{ result: 'kept', message: 'No, it is in use.' }])
})

test('a record without an answer never counts as removed', async () => {
  const { remove } = toolWith([{ id: 1, text: 'x' }], { removeAll: async () => [] })
  await expect(remove(record('1', null))).rejects.toThrow('has no answer')
})

test('records that are deleted with their parents are not removed separately', async () => {
  const rules: RemoveRules<Kept> = { byIds: async () => [], toFound: () => null }
  await expect(removeRecords('Acme', rules, [record('1', null)])).rejects.toThrow('together with their parents')
})

test('inner folders are removed first, so no folder is kept because of a folder that is removed too', async () => {
  const folders = [
    { id: 1, parent: null },
    { id: 2, parent: 1 },
    { id: 3, parent: 2 },
    { id: 4, parent: null },
    { id: 5, parent: 4 },
  ]
  const there = new Map(folders.map((folder) => [String(folder.id), folder]))
  const rules: RemoveRules<(typeof folders)[number]> = {
    byIds: async (ids) => ids.flatMap((id) => there.get(id) ?? []),
    toFound: () => null,
    findNeed: async ({ id }) => ([...there.values()].some(({ parent }) => parent === id) ? 'It is not empty.' : null),
    remove: async (id) => {
      there.delete(id)
      return done
    },
  }
  // The fifth folder is not ours.
  const ours = ['1', '2', '3', '4'].map((id) => record(id, null))
  const outcomes = await removeNested('Acme', rules, folders, ours)
  expect(outcomes.filter(({ result }) => result === 'removed').map(({ key }) => key)).toEqual(['k3', 'k2', 'k1'])
  expect(outcomes).toContainEqual({ key: 'k4', result: 'kept', message: 'It is not empty.', isInUse: true })
})

test('folders that contain each other are kept, and the removal ends', async () => {
  const loop = [
    { id: 1, parent: 2 },
    { id: 2, parent: 1 },
  ]
  const rules: RemoveRules<(typeof loop)[number]> = {
    byIds: async () => loop,
    toFound: () => null,
    findNeed: async () => 'It is not empty.',
    remove: async () => done,
  }
  const outcomes = await removeNested('Acme', rules, loop, [record('1', null), record('2', null)])
  expect(outcomes.map(({ result }) => result)).toEqual(['kept', 'kept'])
})

test('records are removed one by one: null means missing, and a sentence means that the record stays', async () => {
  const answers: Record<string, Sent | string | null> = {
    1: done,
    2: null,
    3: refused(404),
    4: refused(422),
    5: 'People have answered it.',
  }
  const records = Object.keys(answers).map((id) => record(id, null))
  expect(await removeEach(records, async ({ destinationId }) => answers[destinationId] ?? null)).toEqual([
    { key: 'k1', result: 'removed' },
    { key: 'k2', result: 'missing' },
    { key: 'k3', result: 'missing' },
    { key: 'k4', result: 'kept', message: 'No' },
    { key: 'k5', result: 'kept', message: 'People have answered it.' },
  ])
})

const insideOf = (texts: readonly string[]) => ({ ids: texts.map((text) => [text]), own: 0 })
const countTheirs: CountOthers = async (records) =>
  records.map(({ inside }) => inside.ids.filter(([id]) => id === 'theirs').length)

test('a message that others add while another record is deleted keeps its own, where records are looked at one by one', async () => {
  const messages = new Map([
    [1, ['ours']],
    [2, ['ours']],
  ])
  const deleted: string[] = []
  const rules: RemoveRules<{ id: number }> = {
    byIds: async (ids) => ids.map((id) => ({ id: Number(id) })),
    toFound: ({ id }) => ({ version: 'same', inside: insideOf(messages.get(id) ?? []) }),
    remove: async (id) => {
      deleted.push(id)
      messages.get(2)?.push('theirs')
      return done
    },
    oneByOne: 1,
  }
  const both = [record('1', 'same'), record('2', 'same')]
  expect(await removeRecords('Acme', rules, both, countTheirs)).toEqual([
    { key: 'k1', result: 'removed' },
    { key: 'k2', result: 'kept', message: othersAdded },
  ])
  expect(deleted).toEqual(['1'])
})

test('of two records with one key, each has its own outcome', async () => {
  const rules: RemoveRules<{ id: number }> = {
    byIds: async (ids) => ids.map((id) => ({ id: Number(id) })),
    toFound: ({ id }) => ({ version: 'same', inside: insideOf(id === 1 ? ['theirs'] : []) }),
    remove: async () => done,
  }
  const copies = [record('1', 'same'), record('2', 'same')].map((one) => ({ ...one, key: 'k' }))
  expect(await removeRecords('Acme', rules, copies, countTheirs)).toEqual([
    { key: 'k', result: 'kept', message: othersAdded },
    { key: 'k', result: 'removed' },
  ])
})

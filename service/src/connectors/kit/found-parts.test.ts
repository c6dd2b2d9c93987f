import { expect, test } from 'vitest'
import type { FoundRecord, OutgoingFile, SoughtRecord } from '../contract/contract.ts'
import { filesOf, findParts } from './found-parts.ts'
import { written } from './outcomes.ts'

const sought = (key: string, destinationId: string | null, entity = 'tickets'): SoughtRecord => ({
  ...{ key, destinationId, parent: { entity, destinationId: '7' } },
})
const found = (key: string): FoundRecord => ({
  ...{ key, destinationId: key, url: null, version: null },
  ...{ fields: {}, customFields: {}, createdAt: null, updatedAt: null },
})

test('parts are searched once under each record, and impossible ids are not requested', async () => {
  const asked: string[] = []
  const all = [sought('k1', '7-1'), sought('k2', null), sought('k3', '8-2'), sought('k4', 'x/../y')]
  const records = await findParts(all, 2, async (id, some) => {
    asked.push(id)
    return some.map(({ key }) => found(key))
  })
  expect(asked).toEqual(['7', '8'])
  expect(records.map(({ key }) => key)).toEqual(['k1', 'k2', 'k3'])
})

test('files of articles are searched separately, if the tool has articles', async () => {
  const files = (name: string) => ({
    writeFile: async ({ key }: OutgoingFile) => written(key, name, { url: null, version: null }),
    find: async (some: SoughtRecord[]) => some.map(({ key }) => found(`${name} ${key}`)),
  })
  const all = [sought('k1', 'a7-1'), sought('k2', null, 'articles'), sought('k3', '7-1'), sought('k4', null)]
  const both = filesOf(files('article'), files('ticket'))
  expect((await both.find(all)).map(({ key }) => key)).toEqual(['ticket k3', 'ticket k4', 'article k1', 'article k2'])
  const file = { key: 'k5', fields: { parent: { entity: 'articles', key: 'x', destinationId: '7' } } } as never
  expect(await both.writeFile(file)).toMatchObject({ destinationId: 'article' })
  expect(await filesOf(null, files('ticket')).writeFile(file)).toMatchObject({ destinationId: 'ticket' })
})

import { expect, test } from 'vitest'
import type { FamilyRecord } from '../families/record.ts'
import { orderWaves, relatedTo } from './order-waves.ts'

const comment = (sourceId: string, parent?: string, entity = 'comments'): FamilyRecord => ({
  entity: 'comments',
  sourceId,
  fields: parent === undefined ? {} : { parent_comment: { entity, sourceId: parent } },
})
const byParent = (record: FamilyRecord) => relatedTo(['parent_comment'], record)
const idsOf = (waves: FamilyRecord[][]) => waves.map((wave) => wave.map(({ sourceId }) => sourceId).join(' '))

test('a record is written before the records that refer to it', () => {
  const page = [
    comment('c', 'b'),
    comment('a'),
    comment('b', 'a'),
    comment('d', 'elsewhere'),
    comment('e', 'a', 'posts'),
  ]
  expect(idsOf(orderWaves(page, byParent))).toEqual(['a d e', 'b', 'c'])
})

test('in a circle only the first record is written before its targets, and a record may refer to itself', () => {
  const page = [comment('a', 'b'), comment('b', 'a'), comment('c', 'c'), comment('d'), comment('e', 'b')]
  expect(idsOf(orderWaves(page, byParent))).toEqual(['c d', 'a', 'b', 'e'])
})

test('a page without such relations, or without records, is one wave', () => {
  expect(idsOf(orderWaves([comment('a', 'b'), comment('b')], null))).toEqual(['a b'])
  expect(orderWaves([], byParent)).toEqual([[]])
})

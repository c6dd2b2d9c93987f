import { expect, test } from 'vitest'
import type { MappingChanges } from '../../service/src/db/mapping-changes.ts'
import { rebase } from '../../web/portal/mapping/rebase.ts'

const base: MappingChanges = { entities: { tickets: { fields: { channel: { to: null }, tags: { to: 'labels' } } } } }

test('changes of both people are combined', () => {
  const mine: MappingChanges = {
    entities: { tickets: { fields: { channel: { to: null }, tags: { to: 'labels' }, type: { to: null } } } },
  }
  const theirs: MappingChanges = {
    entities: { ...base.entities, articles: { include: false } },
    default_user: 'u7',
  }
  expect(rebase(base, mine, theirs)).toEqual({
    entities: { ...mine.entities, articles: { include: false } },
    default_user: 'u7',
  })
})

test('my change of a field wins over theirs, and a change that I withdrew stays withdrawn', () => {
  const mine: MappingChanges = { entities: { tickets: { fields: { tags: { to: 'topics' } } } } }
  const theirs: MappingChanges = {
    entities: { tickets: { fields: { channel: { to: null }, tags: { to: 'words' } }, include: false } },
  }
  expect(rebase(base, mine, theirs)).toEqual({
    entities: { tickets: { fields: { tags: { to: 'topics' } }, include: false } },
  })
})

test('without a change of mine, the result is their changes', () => {
  expect(rebase(base, base, {})).toEqual({})
})

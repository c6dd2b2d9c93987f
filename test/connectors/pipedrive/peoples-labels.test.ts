import { expect, test } from 'vitest'
import type { Account, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openPipedriveWriter } from '../../../service/src/connectors/crm/pipedrive/writer.ts'
import { optionsOf } from '../../twins/pipedrive/catalog.ts'
import { keepSides } from '../keep-sides.ts'
import { outcomeId } from './outgoing.ts'
import { openTwinBench } from './twin-bench.ts'

// People have a label for people alone. A tag of that name needs a label for organizations, too.

const bench = openTwinBench()
const tag = (name: string): OutgoingRecord => ({
  ...{ key: 'imp/tags/1', revision: 1, destinationId: null, createdBy: null, customFields: {} },
  ...{ createdAt: null, updatedAt: null, fields: { name } },
})
const removal = (destinationId: string) => [{ key: 'imp/tags/1', destinationId, parent: null, version: null }]
const labels = () =>
  (['persons', 'organizations'] as const).map((kind) =>
    optionsOf(bench.twin.account, kind, 'label_ids').map(({ label }) => label),
  )
const withSides = (sides: Account['sides']) => openPipedriveWriter({ ...bench.accountOf(), ...(sides && { sides }) })

test('a label that people had before stays theirs: it is neither renamed nor removed', async () => {
  const before = labels()
  expect(before.map((some) => some.includes('Warm lead'))).toEqual([true, false])
  const sides = keepSides()
  const [made] = await withSides(sides).write('tags', [tag('warm lead')])
  const id = outcomeId(made)
  expect(labels()[1]).toContain('warm lead')
  await withSides(sides).write('tags', [{ ...tag('Hot again'), destinationId: id }])
  expect(labels()[0]).toEqual(before[0])
  expect(labels()[1]).toContain('Hot again')
  expect(await withSides(sides).remove('tags', removal(id))).toMatchObject([{ result: 'removed' }])
  expect(labels()).toEqual(before)
})

test('a label whose answers were lost is known as ours, and that of people as theirs', async () => {
  for (const name of ['Warm lead', 'Brand new']) {
    const before = labels()
    const sides = keepSides()
    const lost = bench.twin.faults.when(({ method, url }) =>
      method === 'POST' && url.pathname.endsWith('/options') ? { kind: 'lost' } : null,
    )
    await expect(withSides(sides).write('tags', [tag(name)])).rejects.toThrow()
    lost()
    const found = await withSides(sides).find('tags', [
      { key: 'imp/tags/1', destinationId: null, parent: null, createdAt: null } as never,
    ])
    const id = found[0]?.destinationId ?? outcomeId((await withSides(sides).write('tags', [tag(name)]))[0])
    expect(await withSides(sides).remove('tags', removal(id))).toMatchObject([{ result: 'removed' }])
    expect(labels(), name).toEqual(before)
  }
})

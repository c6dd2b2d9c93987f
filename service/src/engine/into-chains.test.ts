import { expect, test } from 'vitest'
import { intoChains } from './into-chains.ts'

const note = (key: string, issue: string | null) => ({
  outgoing: { key, fields: issue === null ? {} : { issue: { entity: 'issues', key: issue, destinationId: issue } } },
})
type Note = ReturnType<typeof note>

function chain(notes: Note[], rules: { size: number; lane: string | null; alone?: string[] }): string[][] {
  const { size, lane, alone = [] } = rules
  const isAlone = ({ outgoing }: Note) => alone.includes(outgoing.key)
  const chains = intoChains(notes as never[], { size, lane, isAlone: isAlone as never }) as unknown as Note[][][]
  return chains.map((batches) => batches.map((batch) => batch.map(({ outgoing }) => outgoing.key).join('')))
}

const notes = [note('a', '1'), note('b', '2'), note('c', '1'), note('d', '3'), note('e', '1'), note('f', null)]

test('without a lane, all batches may overlap', () => {
  expect(chain(notes, { size: 2, lane: null })).toEqual([['ab'], ['cd'], ['ef']])
  expect(chain(notes, { size: 4, lane: null, alone: ['b'] })).toEqual([['acde'], ['f'], ['b']])
})

test('records of one lane follow each other in one chain, and short lanes share a batch', () => {
  expect(chain(notes, { size: 2, lane: 'issue' })).toEqual([['ac', 'e'], ['f'], ['bd']])
  expect(chain(notes, { size: 3, lane: 'issue' })).toEqual([['ace'], ['f'], ['bd']])
})

test('a record that is sent alone stays in order behind its lane', () => {
  expect(chain(notes, { size: 5, lane: 'issue', alone: ['a'] })).toEqual([['ce', 'a'], ['f'], ['bd']])
})

test('files of different comments of one ticket are one lane, because they may be looked for by their names', () => {
  const files = [note('a', '1-7'), note('b', '1-8'), note('c', '2-9'), note('d', '1')]
  expect(chain(files, { size: 1, lane: 'issue' })).toEqual([['a', 'b', 'd'], ['c']])
  const others = [note('a', 'issue-1'), note('b', 'issue-2')]
  expect(chain(others, { size: 1, lane: 'issue' })).toEqual([['a'], ['b']])
})

test('no record is left out, and none comes twice', () => {
  const many = Array.from({ length: 100 }, (_, index) => note(`${index},`, index % 7 === 0 ? null : String(index % 13)))
  for (const size of [1, 3, 10, 200]) {
    const sent = chain(many, { size, lane: 'issue', alone: ['5,', '18,'] })
      .flat()
      .join('')
      .split(',')
      .filter(Boolean)
    expect(sent.map(Number).toSorted((a, b) => a - b)).toEqual(many.map((_, index) => index))
  }
})

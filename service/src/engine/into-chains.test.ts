import { expect, test } from 'vitest'
import { intoChains } from './into-chains.ts'

const note = (key: string, issue: string | null) => ({
  outgoing: { key, fields: issue === null ? {} : { issue: { entity: 'issues', key: issue, destinationId: issue } } },
})
type Note = ReturnType<typeof note>

interface Rules {
  size: number
  lane: string | null
  laneIdEnds?: string
  alone?: string[]
}

function chain(notes: Note[], rules: Rules): string[][] {
  const { alone = [], laneIdEnds = null } = rules
  const isAlone = ({ outgoing }: Note) => alone.includes(outgoing.key)
  const chains = intoChains(notes as never[], { ...rules, laneIdEnds, isAlone: isAlone as never })
  return chains.map((batches) => batches.map((batch) => batch.map(({ outgoing }: Note) => outgoing.key).join('')))
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

test('targets whose ids begin alike are one lane only where the connector says so', () => {
  const files = [note('a', '1-7'), note('b', '1-8'), note('c', '2-9'), note('d', '1')]
  expect(chain(files, { size: 1, lane: 'issue', laneIdEnds: '-' })).toEqual([['a', 'b', 'd'], ['c']])
  expect(chain(files, { size: 1, lane: 'issue' })).toEqual([['a'], ['b'], ['c'], ['d']])
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

import { expect, test } from 'vitest'
import type { Sent } from './http.ts'
import type { RawRecord } from './lens.ts'
import { RefusedError } from './outcomes.ts'
import { nowhere, placesOf, removeShelvesAndFields, takeOnSide, type WantedShelf } from './side-shelves.ts'
import { sidesInMemory } from './sides-in-memory.ts'

const done: Sent = { result: 'done', status: 200, headers: {}, json: null }

/** A tool that keeps shelves in memory, with the articles on them. */
function openTool(...names: string[]) {
  const shelves: RawRecord[] = names.map((name, index) => ({ id: `s${index}`, name, parent: null }))
  const filled = new Set<string>()
  const sides = sidesInMemory()
  const make = async (name: string) => {
    const made = { id: `s${shelves.length}`, name, parent: null }
    shelves.push(made)
    return made
  }
  const rules = {
    label: 'Acme',
    isShelf: (kind: string) => kind === 'side',
    now: async () => shelves,
    isEmpty: async (id: string) => !filled.has(id),
    async remove(id: string) {
      shelves.splice(
        shelves.findIndex((one) => one.id === id),
        1,
      )
      return done
    },
    urlOf: () => 'https://acme.example/shelf',
  }
  const wanted: WantedShelf = { kind: 'side', mark: nowhere, parent: null, name: 'Imported', isShared: true, make }
  return {
    ...{ shelves, filled, sides },
    take: (more: Partial<WantedShelf> = {}) => takeOnSide(sides, [...shelves], { ...wanted, ...more }),
    undo: async () => removeShelvesAndFields(await sides.list('side'), rules, null),
  }
}

test('a shelf that we created is used again, and an undo removes it', async () => {
  const { shelves, take, undo } = openTool()
  expect(await take()).toBe('s0')
  expect(await take()).toBe('s0')
  expect(shelves).toHaveLength(1)
  expect(await undo()).toEqual([{ kind: 'side', mark: nowhere, result: 'removed' }])
  expect(shelves).toEqual([])
})

test('an existing shelf with this name is used where sharing is allowed, and an undo leaves it', async () => {
  const { shelves, take, undo } = openTool('imported ')
  expect(await take()).toBe('s0')
  expect(await undo()).toMatchObject([{ result: 'removed' }])
  expect(shelves).toHaveLength(1)
})

test('without sharing, the next free name is used', async () => {
  const { shelves, take } = openTool('Imported', 'Imported 2')
  expect(await take({ isShared: false })).toBe('s2')
  expect(shelves[2]?.name).toBe('Imported 3')
})

test('a shelf whose answer was lost is ours, and a shelf that the tool refuses leaves no note', async () => {
  const { shelves, sides, take } = openTool()
  const isLost = async (name: string): Promise<RawRecord> => {
    shelves.push({ id: 's0', name, parent: null })
    throw new Error('the connection broke')
  }
  await expect(take({ make: isLost })).rejects.toThrow('the connection broke')
  expect(await take({ isShared: false })).toBe('s0')
  const isRefused = async () => {
    throw new RefusedError('x', 'No')
  }
  await expect(take({ mark: 'c7', isShared: false, make: isRefused })).rejects.toThrow('No')
  expect((await sides.list('side')).map(({ mark }) => mark)).toEqual([nowhere])
})

test('a shelf that people have filled stays, and is reported with its address', async () => {
  const { filled, take, undo } = openTool()
  filled.add(await take())
  const url = 'https://acme.example/shelf'
  expect(await undo()).toEqual([
    { kind: 'side', mark: nowhere, result: 'kept', destinationId: 's0', url, message: 'It is not empty.' },
  ])
})

test('articles on one of our shelves are read with their original place', async () => {
  const { sides, take } = openTool()
  await take()
  await take({ mark: 'c7 internal', name: 'Guides (internal)' })
  expect(await placesOf(sides, 'side')).toEqual(
    new Map([
      ['s0', null],
      ['s1', 'c7'],
    ]),
  )
})

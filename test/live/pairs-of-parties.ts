import { comparePartiesInHarbour } from './compare-parties-in-harbour.ts'
import { compareTrytons } from './compare-trytons.ts'
import { compareCsvParties, csvPartiesZip } from './csv-parties.ts'
import { readTryton, readTrytonRows } from './facts-tryton.ts'
import { openHarbour, openTryton } from './open-destination.ts'
import type { Pair } from './pair.ts'
import type { Place } from './place.ts'

const walk = (from: string, to: string) => ({ from, to, family: 'crm' as const })
// There are few records: all of them are written one after the other, while the run waits for Tryton to start.
const moments: Pair['moments'] = [
  ['accounts', 1],
  ['accounts', 1],
  ['accounts', 1],
]
const intoTryton = async (place: Place) => ({
  ...(await openTryton(place)),
  promises: { sends_no_mail: true, can_undo: true, delivery_class: 'C' },
  explained: [],
  read: () => readTryton(place),
  rows: () => readTrytonRows(place),
})

export const trytonToTryton = async (source: Place, place: Place): Promise<Pair> => ({
  ...(await intoTryton(place)),
  walk: walk('tryton', 'tryton'),
  source: source.access,
  moments,
  compare: async (before, now, records) => compareTrytons(await readTryton(source), before, now, records),
})

export const csvToTryton = async (place: Place): Promise<Pair> => ({
  ...(await intoTryton(place)),
  walk: walk('csv', 'tryton'),
  source: { zip: csvPartiesZip() },
  moments: [
    ['contacts', 1],
    ['contacts', 300],
    ['contacts', 600],
  ],
  compare: async (before, now) => compareCsvParties(before, now),
})

export const trytonToHarbour = async (source: Place): Promise<Pair> => ({
  ...(await openHarbour()),
  walk: walk('tryton', 'open'),
  source: source.access,
  promises: { can_undo: true, delivery_class: 'A' },
  moments,
  explained: [],
  compare: async (_before, now) => comparePartiesInHarbour(await readTryton(source), now),
})

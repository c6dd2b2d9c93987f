import { compareDesks, type DeskRules, type Ticket } from './compare-desks.ts'
import { csvDesk, csvDeskZip } from './csv-desk.ts'
import { deskOfHarbour, selfIds } from './desk-of-harbour.ts'
import { deskOfRedmine } from './desk-of-redmine.ts'
import {
  csvToRedmineRules,
  csvToRtRules,
  redmineInHarbour,
  redmineToRtRules,
  rtInHarbour,
  rtToRedmineRules,
} from './desk-rules.ts'
import { type Facts, keyOf, newFacts } from './facts.ts'
import { readRedmine, readRedmineRows } from './facts-redmine.ts'
import { onlyInUse, readRt } from './facts-rt.ts'
import { openHarbour, openRedmine, openRt } from './open-destination.ts'
import type { Pair } from './pair.ts'
import type { Place } from './place.ts'
import { listPrivateFiles, listPrivateIssues, lookAsReporter } from './private-desks.ts'

const walk = (from: string, to: string) => ({ from, to, family: 'helpdesk' as const })
const moments: Pair['moments'] = [
  ['tickets', 3],
  ['comments', 5],
  ['comments', 15],
]

/** A Redmine that receives the desk of this source. */
async function intoRedmine(from: string, place: Place, desk: () => Promise<Facts>, rules: DeskRules) {
  return {
    walk: walk(from, 'redmine'),
    ...(await openRedmine(place)),
    promises: { sends_no_mail: false, keeps_times: false, can_undo: true, delivery_class: 'C' },
    moments,
    explained: [],
    read: () => readRedmine(place),
    rows: () => readRedmineRows(place),
    compare: async (before, now, records) =>
      compareDesks(await desk(), deskOfRedmine(newFacts(before, now), 'destination'), records, rules),
  } satisfies Omit<Pair, 'source'>
}

/** A Request Tracker that receives the desk of this source. An undo only disables its people and queues. */
async function intoRt(from: string, place: Place, desk: () => Promise<Facts>, rules: DeskRules) {
  return {
    walk: walk(from, 'rt'),
    ...(await openRt(place)),
    promises: { sends_no_mail: true, keeps_times: true, can_undo: true, delivery_class: 'C' },
    moments,
    explained: [],
    read: async () => onlyInUse(await readRt(place)),
    compare: async (before, _now, records) =>
      compareDesks(await desk(), newFacts(before, await readRt(place)), records, rules),
  } satisfies Omit<Pair, 'source'>
}

export const rtToRedmine = async (source: Place, place: Place): Promise<Pair> => ({
  ...(await intoRedmine('rt', place, () => readRt(source), rtToRedmineRules)),
  source: source.access,
  // Everyone who sees an issue sees its files, so files of comments among agents are not copied.
  explained: await listPrivateFiles(source),
  outsiders: async (records) => lookAsReporter(place, records, await readRt(source)),
})

export const redmineToRt = async (source: Place, place: Place): Promise<Pair> => {
  const desk = async () => deskOfRedmine(await readRedmine(source), 'source')
  const into = await intoRt('redmine', place, desk, redmineToRtRules)
  return {
    ...into,
    source: source.access,
    // All agents of a queue see its tickets. The customer may still want private issues there.
    allow: ['tickets'],
    explained: await listPrivateIssues(source),
    async compare(before, _now, records) {
      const left = new Set(
        records.filter(({ code }) => code === 'not_protected').map((row) => keyOf('tickets', row.source_id)),
      )
      const copied = linkedAmong(new Map([...(await desk())].filter(([key]) => !left.has(key))))
      return compareDesks(copied, newFacts(before, await readRt(place)), records, redmineToRtRules)
    },
  }
}

export const csvToRedmine = async (place: Place): Promise<Pair> => ({
  ...(await intoRedmine('csv', place, async () => csvDesk(), csvToRedmineRules)),
  source: { zip: csvDeskZip() },
})

export const csvToRt = async (place: Place): Promise<Pair> => ({
  ...(await intoRt('csv', place, async () => csvDesk(), csvToRtRules)),
  source: { zip: csvDeskZip() },
})

async function intoHarbour(from: string, desk: () => Promise<Facts>, rules: DeskRules, harbour = openHarbour()) {
  return {
    walk: walk(from, 'open'),
    ...(await harbour),
    promises: { can_undo: true, delivery_class: 'A' },
    moments: [
      ['tickets', 1],
      ['comments', 1],
      ['attachments', 1],
    ] as Pair['moments'],
    compare: async (_before, now, records) => compareDesks(await desk(), deskOfHarbour(now), selfIds(records), rules),
  } satisfies Omit<Pair, 'source' | 'explained'>
}

export const rtToHarbour = async (source: Place): Promise<Pair> => ({
  ...(await intoHarbour('rt', async () => linkedAmong(withSubject(await readRt(source))), rtInHarbour)),
  source: source.access,
  explained: ['tickets 3 refused', 'comments', 'attachments'],
})

export const redmineToHarbour = async (source: Place, harbour = openHarbour()): Promise<Pair> => ({
  ...(await intoHarbour(
    'redmine',
    async () => deskOfRedmine(await readRedmine(source), 'source'),
    redmineInHarbour,
    harbour,
  )),
  source: source.access,
  explained: [],
})

/** Leaves out tickets without a subject, which are refused, and their children, which wait. */
const withSubject = (desk: Facts): Facts =>
  new Map(
    [...desk].filter(([key, fact]) => !key.startsWith('tickets ') || String((fact as Ticket).subject).trim() !== ''),
  )

function linkedAmong(desk: Facts): Facts {
  const has = (id: number) => desk.has(keyOf('tickets', id))
  return new Map(
    [...desk].map(([key, fact]) => {
      if (!key.startsWith('tickets ')) return [key, fact]
      const { parent, dependsOn, linked } = fact as Ticket
      const isThere = parent !== null && has(parent)
      return [
        key,
        { ...fact, parent: isThere ? parent : null, dependsOn: dependsOn.filter(has), linked: linked.filter(has) },
      ]
    }),
  )
}

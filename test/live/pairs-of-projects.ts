import { compareProjectInHarbour } from './compare-project-in-harbour.ts'
import { compareRedmines } from './compare-redmines.ts'
import { readRedmine, readRedmineRows } from './facts-redmine.ts'
import { openHarbour, openRedmine } from './open-destination.ts'
import type { Pair } from './pair.ts'
import type { Place } from './place.ts'

const walk = (to: string) => ({ from: 'redmine', to, family: 'project' as const })
/** A locked person has no counterpart, so memberships of that person stay behind. */
const explained = ['memberships']

export async function redmineToRedmine(source: Place, place: Place): Promise<Pair> {
  return {
    walk: walk('redmine'),
    source: source.access,
    ...(await openRedmine(place)),
    promises: { sends_no_mail: false, keeps_times: false, can_undo: true, delivery_class: 'C' },
    moments: [
      ['issues', 3],
      ['comments', 5],
      ['comments', 20],
    ],
    explained,
    read: () => readRedmine(place),
    rows: () => readRedmineRows(place),
    compare: async (before, now, records) =>
      compareRedmines({ source: await readRedmine(source), before, now, records }),
  }
}

export async function redmineProjectsToHarbour(source: Place): Promise<Pair> {
  return {
    walk: walk('open'),
    source: source.access,
    ...(await openHarbour()),
    promises: { can_undo: true, delivery_class: 'A' },
    moments: [
      ['issues', 1],
      ['comments', 1],
      ['time_entries', 1],
    ],
    explained,
    compare: async (_before, now) => compareProjectInHarbour(await readRedmine(source), now),
  }
}

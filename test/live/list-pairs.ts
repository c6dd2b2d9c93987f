import type { ListedPair, Pair } from './pair.ts'
import {
  csvToGhost,
  csvToWordpress,
  ghostToHarbour,
  ghostToWordpress,
  wordpressToGhost,
  wordpressToHarbour,
  wordpressToWordpress,
} from './pairs-of-blogs.ts'
import { csvToRedmine, csvToRt, redmineToHarbour, redmineToRt, rtToHarbour, rtToRedmine } from './pairs-of-desks.ts'
import { csvToTryton, trytonToHarbour, trytonToTryton } from './pairs-of-parties.ts'
import { redmineProjectsToHarbour, redmineToRedmine } from './pairs-of-projects.ts'
import { type Place, readPlaces } from './place.ts'

const places = readPlaces()

/** A pair of tools. `open` gets the source of the first tool and the destination of the last. */
const pair = (
  name: string,
  tools: readonly [string, ...string[]],
  open: (source: Place, destination: Place) => Promise<Pair>,
): ListedPair => ({
  name,
  tools,
  missing: tools.filter((tool) => !places[tool]),
  open: () => {
    const [source, destination] = [places[tools[0]]?.source, places[tools.at(-1) ?? '']?.destination]
    if (!source || !destination) throw new Error(`${tools.join(' and ')} must be started for this`)
    return open(source, destination)
  },
})
const fromFiles = (open: (destination: Place) => Promise<Pair>) => (_source: Place, destination: Place) =>
  open(destination)

/** Every pair that must work. */
export const listedPairs: readonly ListedPair[] = [
  pair('Redmine to Redmine', ['redmine'], redmineToRedmine),
  pair('Request Tracker to Redmine', ['rt', 'redmine'], rtToRedmine),
  pair('Redmine to Request Tracker', ['redmine', 'rt'], redmineToRt),
  pair('Tryton to Tryton', ['tryton'], trytonToTryton),
  pair('WordPress to WordPress', ['wordpress'], wordpressToWordpress),
  pair('WordPress to Ghost', ['wordpress', 'ghost'], wordpressToGhost),
  pair('Ghost to WordPress', ['ghost', 'wordpress'], ghostToWordpress),
  pair('files to Redmine', ['redmine'], fromFiles(csvToRedmine)),
  pair('files to Request Tracker', ['rt'], fromFiles(csvToRt)),
  pair('files to Tryton', ['tryton'], fromFiles(csvToTryton)),
  pair('files to WordPress', ['wordpress'], fromFiles(csvToWordpress)),
  pair('files to Ghost', ['ghost'], fromFiles(csvToGhost)),
  pair('Redmine to Harbour, as a help desk', ['redmine'], (source) => redmineToHarbour(source)),
  pair('Redmine to Harbour, as projects', ['redmine'], redmineProjectsToHarbour),
  pair('Request Tracker to Harbour', ['rt'], rtToHarbour),
  pair('Tryton to Harbour', ['tryton'], trytonToHarbour),
  pair('WordPress to Harbour', ['wordpress'], wordpressToHarbour),
  pair('Ghost to Harbour', ['ghost'], ghostToHarbour),
]

import { startGhost } from './ghost.ts'
import { callGhost, seedGhost } from './ghost-seed.ts'
import type { Place, Places } from './place.ts'
import { startRedmine } from './redmine.ts'
import { seedRedmine } from './redmine-seed.ts'
import { startRt } from './rt.ts'
import { startTryton } from './tryton.ts'
import { prepareTryton } from './tryton-seed.ts'
import { startWordpress } from './wordpress.ts'
import { callAs, seedWordpress } from './wordpress-seed.ts'
import { addUnusual } from './wordpress-unusual.ts'

/** A running tool, and the settings for its tests. */
export interface Started {
  /** The environment variable for the tests. */
  variable: string
  value: string
  /** The tool's instances, for the tests of pairs. */
  places: Places
  stop(): Promise<unknown>
}

const both = (...tools: { stop(): Promise<unknown> }[]) => Promise.all(tools.map((tool) => tool.stop()))
const placeOf = ({ url, access, mailFolder, folder, database, pidFile, staffKey }: Place): Place => ({
  ...{ url, access, mailFolder, folder, database, pidFile },
  ...(staffKey !== undefined && { staffKey }),
})
const placesOf = (source: Place, destination: Place): Places => ({
  source: placeOf(source),
  destination: placeOf(destination),
})

/** Starts each tool: a source with odd data, and a destination. A new tool needs one entry here. */
export const tools: Record<string, () => Promise<Started>> = {
  redmine: async () => {
    const source = await startRedmine('source')
    const seeded = await seedRedmine(source)
    const destination = await startRedmine('destination')
    const places = placesOf(source, destination)
    const value = JSON.stringify({ source: { ...places.source, seeded }, destination: places.destination })
    return { variable: 'WHERRY_LIVE_REDMINE', value, places, stop: () => both(source, destination) }
  },
  rt: async () => {
    const source = await startRt('source', { isSeeded: true })
    const destination = await startRt('destination')
    const told = ({ access, folder }: typeof source) => ({ access, folder })
    const value = JSON.stringify({ source: told(source), destination: told(destination) })
    const places = placesOf(source, destination)
    return { variable: 'WHERRY_LIVE_RT', value, places, stop: () => both(source, destination) }
  },
  tryton: async () => {
    const source = await startTryton(`source-${process.pid}`)
    const destination = await startTryton(`destination-${process.pid}`, prepareTryton)
    const value = JSON.stringify({ source: source.access, destination: destination.access })
    const places = placesOf(source, destination)
    return { variable: 'WHERRY_LIVE_TRYTON', value, places, stop: () => both(source, destination) }
  },
  // The tests of these two leave records behind, so each test file starts its own instance.
  wordpress: async () => {
    const source = await startWordpress(`source-${process.pid}`)
    await seedWordpress(callAs(source.access), 'odd')
    await addUnusual(source)
    const destination = await startWordpress(`destination-${process.pid}`)
    const places = placesOf(source, destination)
    return { variable: 'WHERRY_LIVE_WORDPRESS', value: 'start', places, stop: () => both(source, destination) }
  },
  ghost: async () => {
    const source = await startGhost(`source-${process.pid}`)
    await seedGhost(callGhost(source.access), callGhost({ ...source.access, token: source.staffKey }), 'odd')
    const destination = await startGhost(`destination-${process.pid}`)
    const places = placesOf(source, destination)
    return { variable: 'WHERRY_LIVE_GHOST', value: 'start', places, stop: () => both(source, destination) }
  },
}

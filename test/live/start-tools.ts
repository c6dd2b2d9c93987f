import { startGhost } from './ghost.ts'
import type { Place, Places } from './place.ts'
import { startRedmine } from './redmine.ts'
import { seedRedmine } from './redmine-seed.ts'
import { startRt } from './rt.ts'
import { startTryton } from './tryton.ts'
import { prepareTryton } from './tryton-seed.ts'
import { startWordpress } from './wordpress.ts'

/** A tool that runs, and what its own tests want to be told. */
export interface Started {
  /** Their variable. */
  variable: string
  value: string
  /** For the tests of pairs; none for a tool that its tests start by themselves. */
  places?: Places | { destination: Pick<Place, 'url' | 'access'> & { mailFolder?: string } }
  stop(): Promise<unknown>
}

export interface StartOptions {
  /** Notes in the long thread of Redmine. */
  notes: number
}

const both = (...tools: { stop(): Promise<unknown> }[]) => Promise.all(tools.map((tool) => tool.stop()))
const placeOf = ({ url, access, mailFolder, database, pidFile }: Place): Place => ({
  url,
  access,
  mailFolder,
  database,
  pidFile,
})
const placesOf = (source: Place, destination: Place): Places => ({
  source: placeOf(source),
  destination: placeOf(destination),
})

/** Each tool: a source with odd things in it, and a destination. Adding a tool is a line here. */
export const tools: Record<string, (options: StartOptions) => Promise<Started>> = {
  redmine: async ({ notes }) => {
    const source = await startRedmine('source')
    const seeded = await seedRedmine(source, notes)
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
  wordpress: async () => {
    const { url, access, mailFolder = '', stop } = await startWordpress(`live-${process.pid}`)
    const value = JSON.stringify({ ...access, mailFolder })
    return { variable: 'WHERRY_LIVE_WORDPRESS', value, places: { destination: { url, access, mailFolder } }, stop }
  },
  ghost: async () => {
    // Its tests restart it at will, so each starts its own; here it is only seen whether it can be had.
    await (await startGhost('trial')).stop()
    return { variable: 'WHERRY_LIVE_GHOST', value: 'start', stop: async () => {} }
  },
}

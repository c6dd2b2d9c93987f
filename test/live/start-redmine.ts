import { startRedmine } from './redmine.ts'
import { seedRedmine } from './redmine-seed.ts'

// Starts two Redmines, one of them with data, and prints the settings for the live tests: WHERRY_LIVE_REDMINE="$(…)"
// vitest run test/live/redmine.live.test.ts. They stop on Ctrl-C or SIGTERM.

const source = await startRedmine('source')
const seeded = await seedRedmine(source)
const destination = await startRedmine('destination')
const told = ({ url, access, mailFolder }: typeof source) => ({ url, access, mailFolder })
console.log(JSON.stringify({ source: { ...told(source), seeded }, destination: told(destination) }))

const stop = async () => {
  await Promise.all([source.stop(), destination.stop()])
  process.exit(0)
}
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
setInterval(() => {}, 60_000)

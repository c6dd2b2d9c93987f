import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { signalGroup } from './keep-running.ts'

/** A tool that runs, for programs that did not start it. */
export interface Place {
  url: string
  access: AccountAccess
  /** Mails that it has sent lie here; none leaves the machine. */
  mailFolder: string
  /** Its folder. */
  folder: string
  /** Its own Postgres, by the folder of its socket; null for a tool that has another kind of database. */
  database: { host: string; user: string; database: string } | null
  /** Holds the process id of its server, which is started again when it ends. */
  pidFile: string
  /** Of Ghost: the key of its owner, who may make and delete other keys. */
  staffKey?: string
}

export interface Places {
  source: Place
  destination: Place
}

/** Arguments of the tests of pairs: the tools that were started, each twice. */
export function readPlaces(): Partial<Record<string, Places>> {
  const told = process.env.WHERRY_LIVE_PAIRS
  return told === undefined || told === '' ? {} : JSON.parse(told)
}

/** Every file with its length: a mail is a new file, or a longer one. */
export async function listMails({ mailFolder }: Place): Promise<string[]> {
  const files = (await readdir(mailFolder)).sort()
  return Promise.all(files.map(async (file) => `${file} ${(await readFile(`${mailFolder}/${file}`)).length}`))
}

/** Ends the tool's server; its supervisor starts it again. */
export async function restart({ pidFile }: Place): Promise<void> {
  signalGroup(Number(await readFile(pidFile, 'utf8')), 'SIGKILL')
}

export type Ask = <Row extends object>(query: string, values?: unknown[]) => Promise<Row[]>

/** Asks the database itself, so that a comparison does not see the tool through our own eyes. */
export async function inDatabase<Answer>(place: Place, act: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  if (!place.database) throw new Error('this tool has no Postgres')
  const client = new pg.Client(place.database)
  await client.connect()
  try {
    return await act(async (query, values) => (await client.query(query, values)).rows)
  } finally {
    await client.end()
  }
}

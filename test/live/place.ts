import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { signalGroup } from './keep-running.ts'

/** A running tool, for programs that did not start it. */
export interface Place {
  url: string
  access: AccountAccess
  /** The folder with the mails that the tool sent; none leaves the machine. */
  mailFolder: string
  /** The tool's folder. */
  folder: string
  /** The tool's own Postgres, by the folder of its socket; null for a tool with another kind of database. */
  database: { host: string; user: string; database: string } | null
  /** A file with the process id of the tool's server, which is restarted when it ends. */
  pidFile: string
  /** Only for Ghost: the owner's key, which may create and delete other keys. */
  staffKey?: string
}

export interface Places {
  source: Place
  destination: Place
}

/** The settings for the tests of pairs: the tools that were started, each twice. */
export function readPlaces(): Partial<Record<string, Places>> {
  const told = process.env.WHERRY_LIVE_PAIRS
  return told === undefined || told === '' ? {} : JSON.parse(told)
}

/** Every mail file with its length: a new mail is a new file, or makes a file longer. */
export async function listMails({ mailFolder }: Place): Promise<string[]> {
  const files = (await readdir(mailFolder)).sort()
  return Promise.all(files.map(async (file) => `${file} ${(await readFile(`${mailFolder}/${file}`)).length}`))
}

/** Ends the tool's server; its supervisor starts it again. */
export async function restart({ pidFile }: Place): Promise<void> {
  signalGroup(Number(await readFile(pidFile, 'utf8')), 'SIGKILL')
}

export type Ask = <Row extends object>(query: string, values?: unknown[]) => Promise<Row[]>

/** Queries the database itself, so that a comparison does not see the tool through our own code. */
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

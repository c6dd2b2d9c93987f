import { createWherry, type Import, type ImportEntry, type Tool, type WherryError } from '../../sdk/src/index.ts'

/** The access that Wherry's operator gave to Harbour as a partner. */
export interface WherryAccess {
  /** For example `https://import.example.com/api/v2.1`. */
  baseUrl: string
  apiToken: string
  webhookSecret: string
}

export interface Board {
  tools: readonly Tool[]
  /** The newest imports, with all known details. */
  imports: readonly Import[]
  older: readonly ImportEntry[]
  /** Why the list may be out of date, as a sentence for the page. */
  problem: string | null
}

export interface ImportAccount {
  instanceUrl: string
  username: string
  token: string
}

const CALL_LIMIT_MS = 10_000
/**
 * The minimum time between two requests to Wherry, however many windows are open. A partner may send ten requests a
 * second.
 */
const FRESH_MS = 1_000
const DETAILED = 6

export type ImportFollower = ReturnType<typeof followImports>

/** Sends all of Harbour's requests to Wherry, through the SDK. */
export function followImports({ baseUrl, apiToken }: WherryAccess, account: () => ImportAccount) {
  const wherry = createWherry({
    baseUrl,
    apiToken,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(CALL_LIMIT_MS) }),
  })
  let board: Board = { tools: [], imports: [], older: [], problem: null }
  let asking: Promise<Board> | null = null
  let askedAt = 0

  const ask = async (): Promise<Board> => {
    try {
      const tools = board.tools.length > 0 ? board.tools : await wherry.listTools()
      const entries = await wherry.listImports(account().username)
      const imports = await Promise.all(entries.slice(0, DETAILED).map(({ id }) => wherry.getImport(id)))
      board = { tools, imports, older: entries.slice(DETAILED), problem: null }
    } catch (error) {
      board = { ...board, problem: explain(error) }
    }
    askedAt = Date.now()
    return board
  }
  return {
    /** The origin of the portal that customers are sent to. */
    origin: new URL(baseUrl).origin,
    look(): Promise<Board> {
      if (asking === null && Date.now() - askedAt < FRESH_MS) return Promise.resolve(board)
      asking ??= ask().finally(() => {
        asking = null
      })
      return asking
    },
    /** Creates an import and returns the address for the customer. The same key returns the same import. */
    async create(sourceTool: string, key: string): Promise<string> {
      const { instanceUrl, username, token } = account()
      const input = {
        source_tool: sourceTool,
        destination_instance_url: instanceUrl,
        destination_username: username,
        destination_token: token,
      }
      const { redirect_url } = await wherry.createImport(input, { idempotencyKey: key })
      askedAt = 0
      return redirect_url
    },
    async decide(id: string, decision: 'accept' | 'reject'): Promise<void> {
      await (decision === 'accept' ? wherry.acceptSponsorship(id) : wherry.rejectSponsorship(id))
      askedAt = 0
    },
  }
}

/** Explains a refused or lost request in a sentence. */
export function explain(error: unknown): string {
  const { status, message } = error as Partial<WherryError>
  if (status === undefined) return 'Wherry does not answer at the moment. Imports under way go on by themselves.'
  if (status === 401) return 'Wherry no longer accepts Harbour’s API token. Its operator can issue a new one.'
  if (status === 429) return 'Wherry asks for a moment of patience. Try again in a second.'
  return `Wherry says: ${message}`
}

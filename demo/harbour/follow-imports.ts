import { createWherry, type Import, type ImportEntry, type Tool, type WherryError } from '../../sdk/src/index.ts'

/** What Wherry's operator gave us when we became its partner. */
export interface WherryAccess {
  /** Such as `https://import.example.com/api/v2.1`. */
  baseUrl: string
  apiToken: string
  webhookSecret: string
}

export interface Board {
  tools: readonly Tool[]
  /** The newest, with everything that is known about them. */
  imports: readonly Import[]
  older: readonly ImportEntry[]
  /** Why the above may be out of date, for the person who looks at it. */
  problem: string | null
}

export interface ImportAccount {
  instanceUrl: string
  username: string
  token: string
}

const CALL_LIMIT_MS = 10_000
/** However many windows look at it, Wherry is asked this seldom: a partner has ten requests a second. */
const FRESH_MS = 1_000
const DETAILED = 6

export type ImportFollower = ReturnType<typeof followImports>

/** Harbour's dealings with Wherry, all through its SDK. */
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
    /** Where the portal is: customers are sent there. */
    origin: new URL(baseUrl).origin,
    look(): Promise<Board> {
      if (asking === null && Date.now() - askedAt < FRESH_MS) return Promise.resolve(board)
      asking ??= ask().finally(() => {
        asking = null
      })
      return asking
    },
    /** Answers where to send the customer. The same key again answers the same. */
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

/** What a refused or lost call means to the person who made it. */
export function explain(error: unknown): string {
  const { status, message } = error as Partial<WherryError>
  if (status === undefined) return 'Wherry does not answer at the moment. Imports under way go on by themselves.'
  if (status === 401) return 'Wherry no longer accepts Harbour’s API token. Its operator can issue a new one.'
  if (status === 429) return 'Wherry asks for a moment of patience. Try again in a second.'
  return `Wherry says: ${message}`
}

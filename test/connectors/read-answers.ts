import type { Account, Reader } from '../../service/src/connectors/contract/contract.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { type Answers, type Asked, startAnswerServer } from './answer-server.ts'
import { createLoopbackOutbound } from './desk-account.ts'

export interface ReadAnswers {
  items: FamilyRecord[]
  ids: string[]
  /** Code and message of each warning. */
  warnings: string[]
  asked: Asked[]
}

/** Opens a reader on a server with these answers, reads all of an entity, and closes both. */
export const readAnswers = (
  open: (account: Account) => Reader,
  entity: string,
  answers: Answers,
  since?: string,
): Promise<ReadAnswers> =>
  withAnswers(open, answers, async (reader, asked) => {
    const items: FamilyRecord[] = []
    const warnings: string[] = []
    let cursor: string | null = null
    do {
      const page = await reader.read(entity, cursor, since === undefined ? {} : { since })
      items.push(...page.items)
      warnings.push(...page.warnings.map(({ code, message }) => `${code} ${message}`))
      cursor = page.next
    } while (cursor !== null)
    return { items, ids: items.map(({ sourceId }) => sourceId), warnings, asked }
  })

export async function withAnswers<O, T>(
  open: (account: Account) => O,
  answers: Answers,
  act: (opened: O, asked: Asked[]) => Promise<T>,
): Promise<T> {
  await using server = await startAnswerServer(answers)
  const outbound = createLoopbackOutbound()
  try {
    const access = { instanceUrl: server.url, username: 'someone@example.test', token: 'a-token' }
    return await act(open({ access, outbound, signal: AbortSignal.timeout(600_000) }), server.asked)
  } finally {
    await outbound.close()
  }
}

export const json = (answer: unknown) => ({ json: answer })

import { createContext, Script } from 'node:vm'

const sandbox: { work: (() => void) | null } = { work: null }
const context = createContext(sandbox)
const script = new Script('work()')

/**
 * Runs `work` with a time limit; null if it exceeds the limit. The parsers of Markdown and Textile need hours for some
 * inputs, and such a text must not block everyone else.
 */
export function limitTime<T>(limitMs: number, work: () => T): T | null {
  const result: T[] = []
  sandbox.work = () => {
    result.push(work())
  }
  try {
    script.runInContext(context, { timeout: limitMs })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null
    throw error
  } finally {
    sandbox.work = null
  }
  return result[0] ?? null
}

import { createContext, Script } from 'node:vm'

const sandbox: { work: (() => void) | null } = { work: null }
const context = createContext(sandbox)
const script = new Script('work()')

/**
 * The parsers of Markdown and Textile have inputs on which they need hours; a record with such a text must not stop
 * everyone else. Null means that this input is one of them.
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

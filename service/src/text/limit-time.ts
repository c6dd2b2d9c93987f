import { createContext, Script } from 'node:vm'

const sandbox: { work: (() => void) | null } = { work: null }
const context = createContext(sandbox)
const script = new Script('work()')

/**
 * The parsers of Markdown and Textile have inputs on which they need hours, or all of the stack; a record with such a
 * text must not stop its import. Null says that this is one of them.
 */
export function limitTime<T>(limitMs: number, work: () => T): T | null {
  const result: T[] = []
  sandbox.work = () => {
    result.push(work())
  }
  try {
    script.runInContext(context, { timeout: limitMs })
  } catch {
    // Out of time, out of stack, or a mistake in the parser: the decision is the same, the text goes on as it was typed.
    return null
  } finally {
    sandbox.work = null
  }
  return result[0] ?? null
}

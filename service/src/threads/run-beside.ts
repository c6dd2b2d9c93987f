import { isLight } from '../json-pieces.ts'
import { OverBudgetError, runInThread } from './run-in-thread.ts'

/** Longer texts take more than a few milliseconds. */
const shortCharacters = 16 * 1024
/** Generous: the time of these functions grows only with the length of the text. */
const cpuMs = 60_000

/** The exports of a module that take plain data and answer plain data. */
type Functions<M> = { [K in keyof M]: M[K] extends (...args: never[]) => unknown ? K : never }[keyof M]
type Answer<M, K extends keyof M> = M[K] extends (...args: never[]) => infer R ? R : never
type Arguments<M, K extends keyof M> = M[K] extends (...args: infer A) => unknown ? A : never

/** Runs pure functions of a module: at once for short data, in a thread for long data. */
export function runBeside<M extends object>(url: string, module: M) {
  return <K extends Functions<M> & string>(name: K, ...args: Arguments<M, K>): Answer<M, K> | Promise<Answer<M, K>> => {
    const runHere = () => (module[name] as (...given: unknown[]) => Answer<M, K>)(...args)
    if (isLight(args, shortCharacters)) return runHere()
    return runInThread({ module: url, name, args, cpuMs }).catch((error: unknown) => {
      if (error instanceof OverBudgetError) throw error
      // An error loses its class between threads. Thrown again here, it has its class and says what happens next.
      return runHere()
    }) as Promise<Answer<M, K>>
  }
}

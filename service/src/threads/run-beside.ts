import { isLight } from '../json-pieces.ts'
import { OverBudgetError, runInThread } from './run-in-thread.ts'

/** What is longer takes more than a few milliseconds. */
const shortCharacters = 16 * 1024
/** Generous: this is for functions that take time with the length of the text. */
const cpuMs = 60_000

/** The exports of a module that take plain data and give plain data. */
type Functions<M> = { [K in keyof M]: M[K] extends (...args: never[]) => unknown ? K : never }[keyof M]
type Answer<M, K extends keyof M> = M[K] extends (...args: never[]) => infer R ? R : never
type Arguments<M, K extends keyof M> = M[K] extends (...args: infer A) => unknown ? A : never

/** Pure functions of a module: at once for what is short, in a thread for what is long. */
export function runBeside<M extends object>(url: string, module: M) {
  return <K extends Functions<M> & string>(name: K, ...args: Arguments<M, K>): Answer<M, K> | Promise<Answer<M, K>> => {
    const runHere = () => (module[name] as (...given: unknown[]) => Answer<M, K>)(...args)
    if (isLight(args, shortCharacters)) return runHere()
    return runInThread({ module: url, name, args, cpuMs }).catch((error: unknown) => {
      if (error instanceof OverBudgetError) throw error
      // An error loses its class between threads; met again here, it says what happens next.
      return runHere()
    }) as Promise<Answer<M, K>>
  }
}

/** Calls `ask` once and keeps the answer. After a failure, and after `forget`, it calls again. */
export function once<T>(ask: () => Promise<T>): (() => Promise<T>) & { forget(): void } {
  let answer: Promise<T> | null = null
  const forget = () => {
    answer = null
  }
  const of = () => {
    if (answer) return answer
    const asked = ask().catch((error: unknown) => {
      if (answer === asked) forget()
      throw error
    })
    answer = asked
    return asked
  }
  return Object.assign(of, { forget })
}

/** Like `once`, for each key. `forget` drops the answer for a key. */
export type OnceEach<K, T> = ((key: K) => Promise<T>) & { forget(key: K): void }

export function onceEach<K, T>(ask: (key: K) => Promise<T>): OnceEach<K, T> {
  const known = new Map<K, () => Promise<T>>()
  const of = (key: K) => {
    const answer = known.get(key) ?? once(() => ask(key))
    known.set(key, answer)
    return answer()
  }
  return Object.assign(of, { forget: (key: K) => void known.delete(key) })
}

/** Runs functions one after the other, even if one fails. */
export function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const turn = last.then(act, act)
    last = turn.catch(() => {})
    return turn
  }
}

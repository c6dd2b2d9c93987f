import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { AskFailure, type Refusal } from './ask.ts'

export interface Action<A extends unknown[]> {
  act: (...args: A) => Promise<boolean>
  isPending: boolean
  isDone: boolean
  failure: Refusal | null
  reset: () => void
}

/**
 * An action of the customer with its state: pending, done or failed. It never runs twice at the same time. Afterwards
 * the screen reloads all data, so that it shows the server's state.
 */
export function useAction<A extends unknown[]>(work: (...args: A) => Promise<unknown>): Action<A> {
  const client = useQueryClient()
  const [state, setState] = useState<Omit<Action<A>, 'act' | 'reset'>>(idle)
  const act = async (...args: A) => {
    if (state.isPending) return false
    setState({ isPending: true, isDone: false, failure: null })
    try {
      await work(...args)
      await client.invalidateQueries()
      setState({ isPending: false, isDone: true, failure: null })
      return true
    } catch (error) {
      setState({ isPending: false, isDone: false, failure: refusalOf(error) })
      void client.invalidateQueries({ queryKey: ['import'] })
      return false
    }
  }
  const reset = useCallback(() => setState(idle), [])
  return { ...state, act, reset }
}

const refusalOf = (error: unknown): Refusal =>
  error instanceof AskFailure ? error.refusal : { kind: 'unavailable', reference: null }

export interface Choices<A extends unknown[]> {
  choose: (...choice: A) => Promise<boolean>
  /** Choices that are not saved yet, oldest first; the screen already shows them. */
  waiting: A[]
  isDone: boolean
  failure: Refusal | null
}

/** Saves each choice immediately, one after the other. */
export function useChoices<A extends unknown[]>(save: (...choice: A) => Promise<unknown>): Choices<A> {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<A[]>([])
  const [ended, setEnded] = useState<Pick<Choices<A>, 'isDone' | 'failure'>>({ isDone: false, failure: null })
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const choose = (...choice: A) => {
    const saveNow = async () => {
      let failure: Refusal | null = null
      try {
        await save(...choice)
      } catch (error) {
        failure = refusalOf(error)
      }
      await client.invalidateQueries()
      setWaiting((before) => before.filter((one) => one !== choice))
      setEnded({ isDone: failure === null, failure })
      return failure === null
    }
    setWaiting((before) => [...before, choice])
    const saved = last.current.then(saveNow)
    last.current = saved
    return saved
  }
  return { choose, waiting, ...ended }
}

const idle = { isPending: false, isDone: false, failure: null }

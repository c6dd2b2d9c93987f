import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { AskFailure, type Refusal } from './ask.ts'

export interface Action<A extends unknown[]> {
  act: (...args: A) => Promise<boolean>
  isPending: boolean
  isDone: boolean
  failure: Refusal | null
  reset: () => void
}

/**
 * Something that the customer does: under way, done or failed, and never twice at once. Afterwards everything on the
 * screen is asked for anew, so that it shows what the server decided.
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
      const failure: Refusal = error instanceof AskFailure ? error.refusal : { kind: 'unavailable', reference: null }
      setState({ isPending: false, isDone: false, failure })
      void client.invalidateQueries({ queryKey: ['import'] })
      return false
    }
  }
  const reset = useCallback(() => setState(idle), [])
  return { ...state, act, reset }
}

const idle = { isPending: false, isDone: false, failure: null }

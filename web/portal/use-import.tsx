import { createContext, type ReactNode, useContext } from 'react'
import type { PortalImport } from '../../service/src/portal/contract.ts'
import type { StatusFacts } from '../texts/index.ts'
import { factsOf } from './shell/facts-of.ts'

const Current = createContext<PortalImport | null>(null)

export function ImportProvider({ imp, children }: { imp: PortalImport; children: ReactNode }) {
  return <Current value={imp}>{children}</Current>
}

/** The current import, and the facts that sentences about it need. */
export function useImport(): { imp: PortalImport; facts: StatusFacts } {
  const imp = useContext(Current)
  if (!imp) throw new Error('there is no import around this')
  return { imp, facts: factsOf(imp) }
}

import type { Sponsorship } from '../../service/src/portal/contract.ts'

/** Facts that the sentences about a status depend on. Names are ready to be put into a sentence. */
export interface StatusFacts {
  source: string
  destination: string
  partner: string
  sponsorship: Sponsorship
  startFull: boolean
  /** Names of the accounts that we have no access to. */
  missingAccess: string[]
  warningCount: number
}

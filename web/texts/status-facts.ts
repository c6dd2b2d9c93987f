import type { Sponsorship } from '../../service/src/portal/contract.ts'

/** Facts that sentences about a status need. Names are ready for use in a sentence. */
export interface StatusFacts {
  source: string
  destination: string
  partner: string
  sponsorship: Sponsorship
  startFull: boolean
  /** Names of the accounts that we cannot access. */
  missingAccess: string[]
  warningCount: number
}

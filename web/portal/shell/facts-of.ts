import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { inSentence, type StatusFacts } from '../../texts/index.ts'

export function factsOf(imp: PortalImport): StatusFacts {
  const accounts = [imp.source, imp.destination]
  return {
    source: inSentence(imp.source.label),
    destination: inSentence(imp.destination.label),
    partner: inSentence(imp.partner.name),
    sponsorship: imp.sponsorship,
    startFull: imp.start_full,
    missingAccess: accounts.filter(({ access }) => access === 'missing').map(({ label }) => inSentence(label)),
    warningCount: imp.warnings.length,
  }
}

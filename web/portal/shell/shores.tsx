import type { PortalAccount, PortalImport } from '../../../service/src/portal/contract.ts'
import { texts } from '../../texts/index.ts'
import { AccountPlate } from '../../ui/account-plate.tsx'
import { Crossing } from '../../ui/crossing.tsx'
import { brokenRole } from './obstacle-of.ts'
import { voyageOf } from './voyage-of.ts'

/** The source on the left, the destination on the right, and the water between them. */
export function Shores({ imp, isFlat = false }: { imp: PortalImport; isFlat?: boolean }) {
  const { from, to, picture } = texts.plates
  return (
    <section aria-label={picture} className="overflow-hidden rounded-lg border border-line bg-card">
      <div className="flex justify-between gap-4 p-4 sm:p-5">
        <AccountPlate
          role={from}
          label={imp.source.label}
          account={imp.source.account}
          access={accessWords(imp, 'source', imp.source)}
        />
        <AccountPlate
          role={to}
          label={imp.destination.label}
          account={imp.destination.account}
          access={accessWords(imp, 'destination', imp.destination)}
          isRight
        />
      </div>
      {!isFlat && <Crossing voyage={voyageOf(imp)} />}
    </section>
  )
}

function accessWords(imp: PortalImport, role: 'source' | 'destination', { access }: PortalAccount) {
  const words = texts.plates.access
  if (brokenRole(imp) === role) return { words: words.lost, tone: 'needs' as const }
  return { words: words[access], tone: access === 'checked' ? ('verified' as const) : ('quiet' as const) }
}

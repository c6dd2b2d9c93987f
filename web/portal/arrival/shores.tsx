import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { texts } from '../../texts/index.ts'
import { AccountPlate } from '../../ui/account-plate.tsx'
import { Crossing } from '../../ui/crossing.tsx'
import { voyageOf } from './voyage-of.ts'

/** Source left, destination right, and the water between them. */
export function Shores({ imp }: { imp: PortalImport }) {
  const { from, to, access, picture } = texts.plates
  // Access is what this status waits for; later it goes without saying.
  const isCollecting = imp.status_code === 'collecting_credentials'
  return (
    <section aria-label={picture} className="overflow-hidden rounded-lg border border-line bg-card">
      <div className="flex justify-between gap-4 p-4 sm:p-5">
        <AccountPlate
          role={from}
          label={imp.source.label}
          account={null}
          access={
            isCollecting ? { words: access[imp.source.access], isChecked: imp.source.access === 'checked' } : null
          }
        />
        <AccountPlate
          role={to}
          label={imp.destination.label}
          account={imp.destination.account}
          access={
            isCollecting
              ? { words: access[imp.destination.access], isChecked: imp.destination.access === 'checked' }
              : null
          }
          isRight
        />
      </div>
      <Crossing voyage={voyageOf(imp)} />
    </section>
  )
}

import type { ImportStatus, PortalImport } from '../../../service/src/portal/contract.ts'
import type { Voyage } from '../../ui/crossing.tsx'
import { isHeld, isRunning, percentDone } from './running.ts'

type Load = Pick<Voyage, 'cargo' | 'isReturning'> & {
  /** Where the boat rests, or where it started. */
  shore: 'source' | 'destination'
}

/** One picture for each of the nine statuses. In a sample the load is small; in an undo the boat returns. */
const loads: Record<ImportStatus, Load> = {
  collecting_credentials: { shore: 'source', cargo: 0, isReturning: false },
  waiting_to_start_sample_migration: { shore: 'source', cargo: 1, isReturning: false },
  sample_migration_in_progress: { shore: 'source', cargo: 1, isReturning: false },
  sample_migration_completed: { shore: 'destination', cargo: 1, isReturning: false },
  in_preparation: { shore: 'source', cargo: 3, isReturning: false },
  migration_in_progress: { shore: 'source', cargo: 3, isReturning: false },
  migration_completed: { shore: 'destination', cargo: 3, isReturning: false },
  undo_in_progress: { shore: 'destination', cargo: 2, isReturning: true },
  migration_cleaned: { shore: 'source', cargo: 0, isReturning: true },
}

/** The boat's position is the share of processed records. It does not move during a pause. */
export function voyageOf(imp: PortalImport): Voyage {
  const { shore, cargo, isReturning } = loads[imp.status_code]
  const percent = percentDone(imp) ?? 0
  return {
    at: shore === 'source' ? percent : 100 - percent,
    cargo,
    isReturning,
    isSailing: isRunning(imp) && !isHeld(imp),
  }
}

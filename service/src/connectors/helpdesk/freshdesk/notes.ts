import type { SideRecord, SideRecords, SoughtRecord } from '../../contract/contract.ts'
import { externalOf } from './find-contacts.ts'

interface Holder {
  sides: SideRecords
}

/** Our notes of these records. */
export const notesOf = (
  { sides }: Holder,
  kind: string,
  records: readonly Pick<SoughtRecord, 'key'>[],
): Promise<SideRecord[]> =>
  sides.list(
    kind,
    records.map(({ key }) => externalOf(key)),
  )

/** Deletes the notes of records whose ids the engine has stored. */
export const forgetNotes = ({ sides }: Holder, kind: string, sought: readonly SoughtRecord[]): Promise<void> =>
  sides.forget(
    ...sought.filter(({ destinationId }) => destinationId !== null).map(({ key }) => ({ kind, mark: externalOf(key) })),
  )

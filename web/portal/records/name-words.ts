import type { PortalName } from '../../../service/src/portal/records-contract.ts'

/** The number that people see. Without one it is the id, unless the record has a title and the id is no number. */
export const numberOf = ({
  number,
  source_id,
  title = '',
}: {
  number?: string | null | undefined
  source_id: string
  title?: string
}) => number ?? (title === '' || /^#?\d+$/.test(source_id) ? source_id : null)

/** A record's title with the number that its tool shows. */
export function nameWords({ title, number }: PortalName): string {
  const shown = number === null || number === '' ? '' : number.startsWith('#') ? number : `#${number}`
  if (title === '') return shown
  return shown === '' ? title : `${title} (${shown})`
}

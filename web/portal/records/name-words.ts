import type { PortalName } from '../../../service/src/portal/records-contract.ts'

/** The number that people know; else the id, unless it was made up for a row that has none. */
export const numberOf = ({
  number,
  source_id,
  title = '',
}: {
  number?: string | null | undefined
  source_id: string
  title?: string
}) => number ?? (title === '' || /^#?\d+$/.test(source_id) ? source_id : null)

/** A record as people speak of it: by its title, and by the number that its tool shows. */
export function nameWords({ title, number }: PortalName): string {
  const shown = number === null || number === '' ? '' : number.startsWith('#') ? number : `#${number}`
  if (title === '') return shown
  return shown === '' ? title : `${title} (${shown})`
}

import type { PortalName } from '../../../service/src/portal/records-contract.ts'

/** A record as people speak of it: by its title, and by the number that its tool shows. */
export function nameWords({ title, number }: PortalName): string {
  const shown = number === null || number === '' ? '' : number.startsWith('#') ? number : `#${number}`
  if (title === '') return shown
  return shown === '' ? title : `${title} (${shown})`
}

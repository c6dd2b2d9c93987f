import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { Figures } from '../../ui/figures.tsx'

export interface UsersProps {
  users: PortalImport['users']
  source: string
  destination: string
}

/** Whose accounts were found on both sides; nothing as long as nobody was counted. */
export function Users({ users, source, destination }: UsersProps) {
  const { heading, inTool, matched } = texts.users
  const isCounted = users.source_tool > 0 || users.destination_tool > 0
  const figures = [
    { key: 'source', label: inTool(source), value: formatNumber(users.source_tool) },
    { key: 'destination', label: inTool(destination), value: formatNumber(users.destination_tool) },
    { key: 'matched', label: matched, value: formatNumber(users.matched) },
  ]
  return <Figures heading={heading} figures={isCounted ? figures : []} />
}

import { List, Loaded } from '../parts.tsx'
import { useAsk } from '../use-ask.ts'

interface Settings {
  origin: string
  database: string
  rate_limit: number
  upload_limit_mb: number
  sends_mail: boolean
  takes_cards: boolean
  takes_invoices: boolean
  connectors_from_outside: number
  allowed_networks: number
  node: string
}

const mark = (is: boolean) => (is ? 'yes' : 'no')

/** Settings of this process. Environment variables change them, see docs/configuration.md. */
export function Settings() {
  const query = useAsk<Settings>('/settings')
  return (
    <Loaded query={query}>
      {(data) => (
        <List
          pairs={[
            ['Public address', data.origin],
            ['Database', data.database],
            ['Requests per second and partner', data.rate_limit === 0 ? 'no limit' : data.rate_limit],
            ['Largest upload', `${data.upload_limit_mb} MB`],
            ['Sends mail', mark(data.sends_mail)],
            ['Takes cards', mark(data.takes_cards)],
            ['Takes invoices', mark(data.takes_invoices)],
            ['Connectors from outside', data.connectors_from_outside],
            ['Networks beyond the public internet', data.allowed_networks],
            ['Node', data.node],
          ]}
        />
      )}
    </Loaded>
  )
}

import type { ComponentType } from 'react'
import type { ConsoleSession } from '../../service/src/console/contract.ts'
import { Audit } from './screens/audit.tsx'
import { ImportDetail } from './screens/import-detail.tsx'
import { Imports } from './screens/imports.tsx'
import { Mails } from './screens/mails.tsx'
import { Operators } from './screens/operators.tsx'
import { Overview } from './screens/overview.tsx'
import { PartnerDetail } from './screens/partner-detail.tsx'
import { Partners } from './screens/partners.tsx'
import { Payments } from './screens/payments.tsx'
import { Sessions } from './screens/sessions.tsx'
import { Settings } from './screens/settings.tsx'
import { Tools } from './screens/tools.tsx'
import { Webhooks } from './screens/webhooks.tsx'

export interface ScreenProps {
  session: ConsoleSession
  /** The id from the address and its query. */
  params: { id: string; query: URLSearchParams }
}

export interface Screen {
  path: string
  title: string
  right: 'read' | 'own'
  isInMenu: boolean
  component: ComponentType<ScreenProps>
}

const screen = (
  path: string,
  title: string,
  component: ComponentType<ScreenProps>,
  more: Partial<Screen> = {},
): Screen => ({
  ...{ path, title, component, right: 'read', isInMenu: true },
  ...more,
})

/** The first screen opens by default. */
export const screens: readonly [Screen, ...Screen[]] = [
  screen('overview', 'Overview', Overview),
  screen('imports', 'Imports', Imports),
  screen('import', 'Import', ImportDetail, { isInMenu: false }),
  screen('partners', 'Partners', Partners),
  screen('partner', 'Partner', PartnerDetail, { isInMenu: false }),
  screen('webhooks', 'Webhooks', Webhooks),
  screen('tools', 'Tools', Tools),
  screen('payments', 'Payments', Payments, { right: 'own' }),
  screen('mails', 'Mails', Mails),
  screen('audit', 'Audit log', Audit),
  screen('operators', 'Operators', Operators, { right: 'own' }),
  screen('sessions', 'Sessions', Sessions),
  screen('settings', 'Settings', Settings),
]

/** `#/import/imp_…?x=y` opens the screen "import" with that id. */
export function screenAt(hash: string): { screen: Screen; params: ScreenProps['params'] } {
  const [address = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [path, id = ''] = address.split('/')
  return {
    screen: screens.find((one) => one.path === path) ?? screens[0],
    params: { id: decodeURIComponent(id), query: new URLSearchParams(query) },
  }
}

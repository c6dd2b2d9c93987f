import { liveApiPrefix } from '../partner-api/openapi.ts'
import type { DemoSettings } from './demo-settings.ts'

/** The person signed in to Harbour. Imports made in the terminal for the same person show up there, too. */
const customer = 'maeve@fernhill.example'

/** A newcomer's first lines: addresses to open, and a command that works unchanged. */
export function describeDemo(
  { partner, fernhill, harbour }: DemoSettings,
  origin: string,
  missing: readonly ('fernhill' | 'harbour')[],
): string {
  const about = (name: 'fernhill' | 'harbour', text: string) =>
    missing.includes(name) ? 'does not run: see above' : text
  const input = {
    source_tool: 'fernhill',
    destination_instance_url: `http://127.0.0.1:${harbour.port}/api/wherry`,
    destination_username: customer,
    destination_token: harbour.token,
  }
  return `The demo runs beside it: two small products to move data between.

  Harbour         http://127.0.0.1:${harbour.port}   ${about('harbour', "a partner's app, where data goes: open this")}
  Fernhill Desk   http://127.0.0.1:${fernhill.port}   ${about('fernhill', 'a help desk, where data comes from')}
                  its API key: ${fernhill.api_key}

Choose "Import from another tool" in Harbour. Or create an import as a partner's app does, in another terminal:

  curl -u ${partner.api_token}: -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(input)}' \\
    ${origin}${liveApiPrefix}/imports

Open the redirect_url of its answer in a browser: there you are the customer. README.md has the whole walk.
To start without the demo: WHERRY_DEMO=off npm start`
}

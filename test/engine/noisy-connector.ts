import type { Connector, PreflightCheck, Writer } from '../../service/src/connectors/contract/contract.ts'
import { plainConnectors } from './plain-connectors.ts'

/** A tool that mails people about new tickets, loses a part of each ticket, and has checks before the run. */
export function noisy(checks: PreflightCheck[]): Connector {
  const [plain] = plainConnectors.filter(({ tool }) => tool === 'plain_c')
  if (!plain?.destination) throw new Error('no plain connector')
  const { destination } = plain
  const wrap = (writer: Writer): Writer => ({
    ...writer,
    describe: async () => {
      const { entities, capabilities, ...rest } = await writer.describe()
      const tickets = { fields: {}, customFields: [], ...entities.tickets, sendsMail: true }
      return { ...rest, capabilities: { ...capabilities, silentCreate: false }, entities: { ...entities, tickets } }
    },
    preflight: async () => checks,
    write: async (entity, records) =>
      (await writer.write(entity, records)).map((outcome) =>
        entity === 'tickets' && outcome.result === 'written' ? { ...outcome, losses: ['author_not_kept'] } : outcome,
      ),
  })
  return {
    ...plain,
    tool: 'noisy',
    destination: { ...destination, open: async (account) => wrap(await destination.open(account)) },
  }
}

import { audit } from '../audit.ts'
import type { Account, Connector } from '../connectors/contract/contract.ts'
import type { LoadedConnectors } from '../connectors/load-connectors.ts'
import type { Db } from '../db/open-database.ts'
import { ConnectorFaultError, OperatorError } from '../errors.ts'
import type { Family } from '../families/index.ts'

type Outside = LoadedConnectors['outside']

/** Remembers that a connector kept a process busy, so that no process calls it again. */
export async function setAside(
  db: Db,
  { tool, code }: Pick<Outside[number], 'tool' | 'code'>,
  reason: string,
): Promise<void> {
  await db
    .insertInto('set_aside_connectors')
    .values({ tool, code, reason })
    .onConflict((conflict) => conflict.column('tool').doUpdateSet({ code, reason, since: new Date() }))
    .execute()
}

/** Admits connectors whose code has changed. Returns a line for each that is still set aside. */
export async function admitChanged(db: Db, outside: Outside): Promise<string[]> {
  const lines = []
  for (const { tool, code } of outside) {
    await db.deleteFrom('set_aside_connectors').where('tool', '=', tool).where('code', '!=', code).execute()
    const row = await find(db, tool)
    if (row) lines.push(`The connector for ${tool} is set aside since ${row.since.toISOString()}: ${adviceFor(row)}`)
  }
  return lines
}

/** Returns the same connectors. Those from outside ask before each call whether they are set aside. */
export function holdBack(db: Db, connectors: readonly Connector[], outside: Outside): readonly Connector[] {
  return connectors.map((connector) => {
    const { tool, source, destination } = connector
    if (!outside.some((one) => one.tool === tool)) return connector
    const findFault = async () => {
      const row = await find(db, tool)
      return row && new ConnectorFaultError(tool, `it is set aside: ${adviceFor(row)}`)
    }
    const hold = <S extends NonNullable<Connector['source'] | Connector['destination']>>(side: S): S => ({
      ...side,
      checkAccount: async (account: Account) => {
        const fault = await findFault()
        if (fault) throw fault
        return side.checkAccount(account)
      },
      open: async (account: Account, family?: Family) => {
        // A further attempt of the run would change nothing: it waits for the operator at once.
        const fault = await findFault()
        if (fault) throw fault.obstacle
        return side.open(account, family)
      },
    })
    return {
      ...connector,
      ...(source && { source: hold(source) }),
      ...(destination && { destination: hold(destination) }),
    }
  })
}

export const listSetAside = (db: Db) =>
  db.selectFrom('set_aside_connectors').select(['tool', 'since', 'reason']).orderBy('tool').execute()

export async function admitConnector(db: Db, tool: string): Promise<{ admitted: string }> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('set_aside_connectors')
      .where('tool', '=', tool)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n)
      throw new OperatorError(
        `The connector for ${tool} is not set aside. "wherry connector set-aside" lists those that are.`,
      )
    await audit(tx, { actor: 'operator', act: 'connector admitted', subject: tool })
    return { admitted: tool }
  })
}

const find = (db: Db, tool: string) =>
  db.selectFrom('set_aside_connectors').selectAll().where('tool', '=', tool).executeTakeFirst()

const adviceFor = ({ tool, reason }: { tool: string; reason: string }): string =>
  `${reason}. Correct it and start the service again, or try it once more with "wherry connector admit ${tool}"`

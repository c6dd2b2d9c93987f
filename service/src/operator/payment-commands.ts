import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { showPrices } from '../imports/find-prices.ts'
import { setIssuer, showIssuer } from '../invoices/set-issuer.ts'
import { findInvoice, listInvoices, listPayments, showPayment } from '../payments/operator-view.ts'
import { setPrices } from '../payments/set-prices.ts'
import { cancelInvoice, markInvoicePaid, refundPayment } from '../payments/settle-by-hand.ts'
import { readLimit } from './read-limit.ts'
import type { LoadTools, WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

export function addPaymentCommands(
  program: Command,
  withDatabase: WithDatabase,
  tools: LoadTools,
  config: () => Config,
): void {
  addPrices(program, withDatabase)
  addInvoices(program, withDatabase)
  const payment = program.command('payment').description('payments of customers, by card or invoice')
  payment
    .command('list')
    .description('list the newest payments')
    .option('--import <import>', 'only of this import')
    .option('--attention', 'only payments that need your attention')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(
      withDatabase((db, options: { import?: string; attention?: boolean; limit: string }) =>
        listPayments(db, {
          importId: options.import ?? null,
          onlyAttention: options.attention === true,
          limit: readLimit(options.limit),
        }),
      ),
    )
  payment
    .command('show <payment>')
    .description('show one payment with its quote and the provider’s messages')
    .option(...json)
    .action(withDatabase((db, id: string) => showPayment(db, id)))
  payment
    .command('refund <payment>')
    .description('send the money back; for an invoice: record that you have sent it back')
    .option(...json)
    .action(withDatabase(async (db, id: string) => refund(db, await tools(), config(), id)))
}

function addPrices(program: Command, withDatabase: WithDatabase): void {
  const prices = program.command('prices').description('the prices of a full migration')
  prices
    .command('show')
    .description('show the current prices')
    .option(...json)
    .action(
      withDatabase(async (db, { json: asJson = false }: { json?: boolean }) => {
        const { version, set_at, document } = await showPrices(db)
        // Printed as text, so that people can edit it and use it as input.
        return asJson ? { version, set_at, document } : { version, set_at, prices: JSON.stringify(document, null, 2) }
      }),
    )
  prices
    .command('set')
    .description('set new prices; frozen quotes keep the old ones')
    .requiredOption('--file <file>', 'JSON file; docs/payments.md has an example')
    .option(...json)
    .action(withDatabase((db, { file }: { file: string }) => setPrices(db, readJson(file))))
}

function addInvoices(program: Command, withDatabase: WithDatabase): void {
  const invoice = program.command('invoice').description('invoices of customers')
  invoice
    .command('list')
    .description('list the newest invoices')
    .option('--open', 'only unpaid invoices')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(
      withDatabase((db, { open, limit }: { open?: boolean; limit: string }) =>
        listInvoices(db, { onlyOpen: open === true, limit: readLimit(limit) }),
      ),
    )
  invoice
    .command('show <number>')
    .description('show one invoice')
    .option('--pdf <file>', 'also write the invoice to this file')
    .option('--credit-note <file>', 'also write its credit note to this file')
    .option(...json)
    .action(
      withDatabase((db, number: string, { pdf, creditNote }: { pdf?: string; creditNote?: string }) =>
        show(db, number, pdf ?? null, creditNote ?? null),
      ),
    )
  invoice
    .command('paid <number>')
    .description('record that the money has arrived; the customer can then start')
    .option(...json)
    .action(
      withDatabase(async (db, number: string) => {
        await markInvoicePaid(db, await findInvoice(db, number))
        return show(db, number, null)
      }),
    )
  invoice
    .command('cancel <number>')
    .description('cancel an invoice; its number stays taken')
    .option(...json)
    .action(
      withDatabase(async (db, number: string) => {
        await cancelInvoice(db, await findInvoice(db, number))
        return show(db, number, null)
      }),
    )
  invoice
    .command('issuer')
    .description('show or set the issuer, as printed on invoices')
    .option('--file <file>', 'JSON file with new details; docs/payments.md has an example')
    .option(...json)
    .action(
      withDatabase(async (db, { file }: { file?: string }) => {
        if (file !== undefined) await setIssuer(db, readJson(file))
        return showIssuer(db)
      }),
    )
}

async function show(db: Db, number: string, file: string | null, creditFile: string | null = null) {
  const { plainNumber, ...invoice } = await findInvoice(db, number)
  if (creditFile !== null) {
    const note = await db
      .selectFrom('credit_notes')
      .select('pdf')
      .where('payment_id', '=', invoice.payment_id)
      .executeTakeFirst()
    if (!note)
      throw new OperatorError(`Invoice ${invoice.number} has no credit note: it was neither cancelled nor refunded.`)
    writeFileSync(creditFile, note.pdf, { mode: 0o600 })
  }
  if (file === null) return invoice
  const { pdf } = await db
    .selectFrom('invoices')
    .select('pdf')
    .where('number', '=', plainNumber)
    .executeTakeFirstOrThrow()
  writeFileSync(file, pdf, { mode: 0o600 })
  return { ...invoice, pdf: file }
}

async function refund(db: Db, connectors: readonly Connector[], config: Config, paymentId: string) {
  // Loaded only here: other commands start faster without these modules.
  const { createOutbound } = await import('../outbound/outbound.ts')
  const { createProviders } = await import('../payments/create-providers.ts')
  const { createStripe } = await import('../payments/stripe/create-stripe.ts')
  const outbound = createOutbound(config.allowedNetworks)
  try {
    const stripe = config.stripe && (await createStripe(config.stripe, outbound))
    // An invoice can be refunded even if invoices are no longer offered.
    const providers = createProviders({ invoices: true }, { connectors, stripe, origin: () => config.origin ?? '' })
    return await refundPayment(db, providers, paymentId)
  } finally {
    await outbound.close()
  }
}

function readJson(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OperatorError(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

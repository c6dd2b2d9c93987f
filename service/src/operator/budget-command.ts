import type { Command } from 'commander'
import { setBudget, showBudget } from '../partners/set-budget.ts'
import type { WithDatabase } from './webhook-commands.ts'

export function addBudgetCommand(partner: Command, withDatabase: WithDatabase): void {
  partner
    .command('budget <partner> [amount]')
    .description(
      'set what sponsored migrations may cost the partner in a calendar month (UTC), in the currency of the prices; "none" removes the limit; without an amount, show it and what is spent',
    )
    .option('--json', 'print JSON')
    .action(
      withDatabase((db, id: string, amount: string | undefined) =>
        amount === undefined ? showBudget(db, id) : setBudget(db, id, amount),
      ),
    )
}

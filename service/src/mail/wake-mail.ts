import { type RawBuilder, sql } from 'kysely'

export const mailQueue = 'mails'

/** The call that has a worker look at a mail at that moment, for use in a statement. */
export const mailJob = (mailId: RawBuilder<unknown>, at: RawBuilder<unknown>) =>
  sql`send_job(${sql.lit(mailQueue)}, jsonb_build_object('mailId', ${mailId}), ${at})`

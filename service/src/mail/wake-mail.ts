import { type RawBuilder, sql } from 'kysely'

export const mailQueue = 'mails'

/** The SQL call that makes a worker look at a mail at that time, for use inside a statement. */
export const mailJob = (mailId: RawBuilder<unknown>, at: RawBuilder<unknown>) =>
  sql`send_job(${sql.lit(mailQueue)}, jsonb_build_object('mailId', ${mailId}), ${at})`

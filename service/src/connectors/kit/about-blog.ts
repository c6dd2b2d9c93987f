import type { DestinationDescription } from '../contract/contract.ts'

/** A blog as a destination, without its entities. Its records keep their times, and new ones cause no mail. */
export const aboutBlog = (siteName: string, batchSize: number): Omit<DestinationDescription, 'entities'> => ({
  account: { name: siteName },
  textFormat: 'html',
  // The limit depends on the server, and no API shows it. Only the file that is too large is refused.
  maxFileBytes: null,
  capabilities: {
    deliveryClass: 'C',
    delete: true,
    silentCreate: true,
    backdate: true,
    createField: false,
    batchSize,
    concurrency: 4,
    settleMs: 0,
  },
})

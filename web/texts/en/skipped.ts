import type { SkippedKind } from '../../../service/src/warnings/codes.ts'

const notCopied = (one: string, many: string) => (count: number, shown: string) =>
  count === 1 ? `1 ${one} was not copied.` : `${shown} ${many} were not copied.`

/** Kinds of records that are never copied on purpose. */
export const skipped = {
  heading: 'Left out on purpose',
  stays: (source: string) => `They stay in ${source}.`,
  kinds: {
    account_links: (count: number, shown: string) =>
      count === 1
        ? 'The links of 1 company to other companies, if there are any, were not copied.'
        : `The links of ${shown} companies to other companies, if there are any, were not copied.`,
    activities_elsewhere: notCopied('call, meeting or task', 'calls, meetings and tasks'),
    approvals: notCopied('approval', 'approvals'),
    article_translations: notCopied('translation of an article', 'translations of articles'),
    articles: notCopied('article of the knowledge base', 'articles of the knowledge base'),
    assets: notCopied('asset', 'assets'),
    call_logs: notCopied('call log', 'call logs'),
    community_posts: notCopied('post of the community forum', 'posts of the community forum'),
    custom_posts: notCopied('text of another type than post or page', 'texts of other types than posts and pages'),
    custom_records: notCopied('record of a custom object', 'records of custom objects'),
    deleted_tickets: notCopied('deleted ticket', 'deleted tickets'),
    files_elsewhere: notCopied('file of a record of another kind', 'files of records of other kinds'),
    forum_topics: notCopied('topic of a forum', 'topics of forums'),
    history_entries: notCopied(
      'entry of the history, such as a change of a status,',
      'entries of the history, such as changes of a status,',
    ),
    invoices: notCopied('invoice', 'invoices'),
    leads: notCopied('lead', 'leads'),
    line_items: notCopied('line item', 'line items'),
    menu_items: notCopied('menu item', 'menu items'),
    messages: notCopied('message other than an e-mail', 'messages other than e-mails'),
    news: notCopied('news item', 'news items'),
    newsletters: notCopied('newsletter', 'newsletters'),
    note_comments: (count: number, shown: string) =>
      `The comments on ${count === 1 ? '1 note' : `${shown} notes`}, if there are any, were not copied.`,
    notes_elsewhere: notCopied('note on a record of another kind', 'notes on records of other kinds'),
    offers: notCopied('offer to members', 'offers to members'),
    other_help_centers: notCopied('Help Center of another brand', 'Help Centers of other brands'),
    pingbacks: notCopied('pingback or trackback', 'pingbacks and trackbacks'),
    products: notCopied('product', 'products'),
    projects_elsewhere: notCopied('project', 'projects'),
    quotes: notCopied('quote', 'quotes'),
    reminders: notCopied('reminder', 'reminders'),
    reusable_blocks: notCopied('reusable block', 'reusable blocks'),
    revisions: notCopied('earlier revision of a text', 'earlier revisions of texts'),
    sales: notCopied('sale', 'sales'),
    satisfaction_ratings: notCopied('rating by a customer', 'ratings by customers'),
    saved_queries: notCopied('saved query', 'saved queries'),
    sensitive_fields: notCopied('field for sensitive data', 'fields for sensitive data'),
    spam_comments: notCopied('comment marked as spam', 'comments marked as spam'),
    spam_tickets: notCopied('ticket marked as spam', 'tickets marked as spam'),
    suspended_tickets: notCopied('suspended ticket', 'suspended tickets'),
    system_users: notCopied('user of the system itself', 'users of the system itself'),
    tickets_elsewhere: notCopied('ticket', 'tickets'),
    tiers: notCopied('paid tier', 'paid tiers'),
    time_entries: notCopied('time entry', 'time entries'),
    trashed_comments: notCopied('comment in the trash', 'comments in the trash'),
    trashed_pages: notCopied('page in the trash', 'pages in the trash'),
    trashed_posts: notCopied('post in the trash', 'posts in the trash'),
  } satisfies Record<SkippedKind, ReturnType<typeof notCopied>>,
}

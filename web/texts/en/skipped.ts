import type { SkippedKind } from '../../../service/src/warnings/codes.ts'

const notCopied = (one: string, many: string) => (count: number, shown: string) =>
  count === 1 ? `1 ${one} was not copied.` : `${shown} ${many} were not copied.`

/** Kinds of records that are never copied on purpose. */
export const skipped = {
  heading: 'Left out on purpose',
  stays: (source: string) => `They stay in ${source}.`,
  kinds: {
    activities_elsewhere: notCopied('call, meeting or task', 'calls, meetings and tasks'),
    approvals: notCopied('approval', 'approvals'),
    article_translations: notCopied('translation of an article', 'translations of articles'),
    articles: notCopied('article of the knowledge base', 'articles of the knowledge base'),
    assets: notCopied('asset', 'assets'),
    community_posts: notCopied('post of the community forum', 'posts of the community forum'),
    custom_posts: notCopied('text of another type than post or page', 'texts of other types than posts and pages'),
    custom_records: notCopied('record of a custom object', 'records of custom objects'),
    deleted_tickets: notCopied('deleted ticket', 'deleted tickets'),
    files_elsewhere: notCopied('file of a record of another kind', 'files of records of other kinds'),
    history_entries: notCopied(
      'entry of the history, such as a change of a status,',
      'entries of the history, such as changes of a status,',
    ),
    invoices: notCopied('invoice', 'invoices'),
    leads: notCopied('lead', 'leads'),
    menu_items: notCopied('menu item', 'menu items'),
    messages: notCopied('message of a messenger', 'messages of messengers'),
    news: notCopied('news item', 'news items'),
    newsletters: notCopied('newsletter', 'newsletters'),
    notes_elsewhere: notCopied('note on a record of another kind', 'notes on records of other kinds'),
    offers: notCopied('offer to members', 'offers to members'),
    other_help_centers: notCopied('Help Center of another brand', 'Help Centers of other brands'),
    pingbacks: notCopied('pingback or trackback', 'pingbacks and trackbacks'),
    products: notCopied('product', 'products'),
    reminders: notCopied('reminder', 'reminders'),
    reusable_blocks: notCopied('reusable block', 'reusable blocks'),
    revisions: notCopied('earlier revision of a text', 'earlier revisions of texts'),
    sales: notCopied('sale', 'sales'),
    saved_queries: notCopied('saved query', 'saved queries'),
    spam_comments: notCopied('comment marked as spam', 'comments marked as spam'),
    spam_tickets: notCopied('ticket marked as spam', 'tickets marked as spam'),
    suspended_tickets: notCopied('suspended ticket', 'suspended tickets'),
    system_users: notCopied('user of the system itself', 'users of the system itself'),
    tickets_elsewhere: notCopied('ticket', 'tickets'),
    tiers: notCopied('paid tier', 'paid tiers'),
    trashed_comments: notCopied('comment in the trash', 'comments in the trash'),
    trashed_pages: notCopied('page in the trash', 'pages in the trash'),
    trashed_posts: notCopied('post in the trash', 'posts in the trash'),
  } satisfies Record<SkippedKind, ReturnType<typeof notCopied>>,
}

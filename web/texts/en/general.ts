import type { StatusFacts } from '../status-facts.ts'

const record = (count: number) => (count === 1 ? 'record' : 'records')

const whoPays = ({ sponsorship, partner }: StatusFacts) =>
  ({
    accepted: `${partner} pays for it.`,
    rejected: `${partner} does not pay for it, so you have to buy it first.`,
    undecided: `${partner} has not decided yet whether to pay for it.`,
  })[sponsorship]

export const general = {
  pageTitle: (title: string, partner: string) => `${title} · ${partner}`,
  /** The sign between a label and its value. */
  colon: ':',
  /** Units for bytes, thousands, millions and billions of bytes. */
  sizes: ['B', 'kB', 'MB', 'GB'],
  header: {
    madeFor: 'Your import',
    family: {
      helpdesk: 'Help desk data',
      project: 'Project data',
      blog: 'Blog content',
      crm: 'Customer data (CRM)',
    },
  },
  footer: {
    carriedOut: (partner: string) => `Wherry carries out this import for ${partner}.`,
    created: (when: string) => `Created ${when}`,
    reference: 'Reference for support',
    language: 'Language',
    languageFailed: 'The language could not be loaded. Please try again.',
  },
  /** Names of sources that are no products. */
  tools: { csv: 'CSV files' } as Record<string, string>,
  plates: {
    picture: 'The two accounts',
    from: 'From',
    to: 'To',
    access: {
      missing: 'Not connected yet',
      given: 'Needs your confirmation',
      checked: 'Connected',
      lost: 'Needs your attention',
    },
  },
  loading: {
    title: 'Opening your import',
    text: 'We are loading its status.',
  },
  status: {
    collecting_credentials: {
      title: ({ missingAccess }: StatusFacts) =>
        missingAccess.length === 1
          ? `Waiting for access to ${missingAccess[0]}`
          : 'Waiting for access to both accounts',
      now: ({ source, destination }: StatusFacts) =>
        `Nothing has been copied yet. Nothing in ${source} or ${destination} has been changed.`,
      next: (facts: StatusFacts) =>
        facts.startFull
          ? `Once both accounts can be reached, all your data is copied straight away. ${facts.partner} asked for this without a sample, and pays for it.`
          : `Once both accounts can be reached, the import begins with a small sample, and only when you start it. You look at the result in ${facts.destination} before anything else is copied.`,
    },
    waiting_to_start_sample_migration: {
      title: () => 'Ready for the sample',
      now: () => 'Both accounts can be reached. Nothing is being copied at the moment.',
      next: ({ destination }: StatusFacts) =>
        `The sample begins when you start it. It copies a few records, so that you can look at them in ${destination} before anything else is copied.`,
    },
    sample_migration_in_progress: {
      title: ({ destination }: StatusFacts) => `Copying a sample to ${destination}`,
      now: ({ source }: StatusFacts) =>
        `A small part of your data is being copied. Nothing in ${source} is changed or deleted.`,
      next: ({ destination }: StatusFacts) =>
        `When the last record is copied and read back, you can look at the sample in ${destination}.`,
    },
    sample_migration_completed: {
      title: ({ destination }: StatusFacts) => `The sample is in ${destination}`,
      now: ({ source, destination }: StatusFacts) =>
        `The copied records are in ${destination} for you to look at. Nothing in ${source} was changed or deleted.`,
      next: (facts: StatusFacts) =>
        `The full migration does not begin by itself, only when you ask for it. ${whoPays(facts)}`,
    },
    in_preparation: {
      title: () => 'Ready for the full migration',
      now: () => 'The full migration is paid for. Nothing is being copied at the moment.',
      next: ({ source, destination }: StatusFacts) =>
        `The full migration copies your data from ${source} to ${destination}. Nothing in ${source} is changed or deleted by it.`,
    },
    migration_in_progress: {
      title: ({ destination }: StatusFacts) => `Copying your data to ${destination}`,
      now: ({ source }: StatusFacts) => `Nothing in ${source} is changed or deleted.`,
      next: () => 'When the last record is copied, this page says so and shows the final numbers.',
    },
    migration_completed: {
      title: ({ destination }: StatusFacts) => `Your data is in ${destination}`,
      now: ({ source }: StatusFacts) => `The last record has been copied. Nothing in ${source} was changed or deleted.`,
      next: ({ destination, warningCount }: StatusFacts) =>
        warningCount > 0
          ? `You can start working in ${destination}. Please read the notes below as well.`
          : `You can start working in ${destination}.`,
    },
    undo_in_progress: {
      title: ({ destination }: StatusFacts) => `Removing the copied data from ${destination}`,
      now: ({ source }: StatusFacts) =>
        `Only records that this import has created are removed. Nothing in ${source} is touched.`,
      next: () => 'When the last record is removed, this page says so.',
    },
    migration_cleaned: {
      title: () => 'The import was undone',
      now: ({ source, destination }: StatusFacts) =>
        `The undo in ${destination} is complete. Nothing in ${source} was touched.`,
      next: () => 'Nothing more happens unless you start over.',
    },
  },
  nextHeading: 'What happens next',
  progress: {
    heading: { copying: 'Processed so far', removing: 'Processed so far' },
    ofTotal: (done: string, total: string, count: number) => `${done} of ${total} ${record(count)}`,
    totalUnknown: (done: string, count: number) => `${done} ${record(count)}. The total is not known yet.`,
    announced: (title: string, percent: number) => `${title}: ${percent} percent`,
  },
  items: {
    heading: (destination: string) => `In ${destination} through this import`,
    entity: {
      accounts: 'Accounts',
      activities: 'Activities',
      agents: 'Agents',
      articles: 'Articles',
      attachments: 'Attachments',
      authors: 'Authors',
      boards: 'Boards',
      canned_responses: 'Canned responses',
      categories: 'Categories',
      closed_stages: 'Stages for won and lost deals',
      comments: 'Comments',
      components: 'Components',
      contacts: 'Contacts',
      countries: 'Countries',
      deals: 'Deals',
      field_definitions: 'Custom fields',
      groups: 'Groups',
      issues: 'Issues',
      labels: 'Labels',
      leads: 'Leads',
      media: 'Media files',
      members: 'Members',
      memberships: 'Memberships',
      milestones: 'Milestones',
      notes: 'Notes',
      organizations: 'Organizations',
      pages: 'Pages',
      party_categories: 'Categories',
      pipelines: 'Pipelines',
      posts: 'Posts',
      products: 'Products',
      project_members: 'Members of projects',
      projects: 'Projects',
      redirects: 'Redirects',
      relation_types: 'Types of relationships',
      relationships: 'Relationships',
      sections: 'Sections',
      stages: 'Stages',
      statuses: 'Statuses',
      subscribers: 'Subscribers',
      tags: 'Tags',
      tasks: 'Tasks',
      teams: 'Teams',
      tickets: 'Tickets',
      time_entries: 'Time entries',
      users: 'Users',
      wiki_pages: 'Wiki pages',
    },
  },
  stale: (time: string) =>
    `We cannot reach the service at the moment. The page shows the status of ${time}. We keep trying. Your data is not affected.`,
  invalidLink: {
    title: 'This link does not open an import',
    meaning: 'It may be incomplete, or a newer link may have replaced it. Your data is not affected by this.',
    advice: 'Please go back to the app that sent you here, and open the import from there again.',
  },
  signedOut: {
    title: 'Please open your import again',
    meaning:
      'This browser is not signed in to the import. Signing in lasts seven days from the moment you open the link. Nothing is lost: a migration that is under way goes on.',
    advice: 'Please go back to the app that sent you here, and open the import from there.',
  },
  ended: {
    title: { cancelled: 'This import was cancelled', archived: 'This import has been archived' },
    meaning: {
      cancelled: 'It no longer copies or changes anything. There is nothing left for you to do here.',
      archived: 'It is closed and no longer copies or changes anything. There is nothing left for you to do here.',
    },
    advice: {
      cancelled: (partner: string) =>
        `If you did not expect this, please ask ${partner}, who can also create a new import.`,
      archived: (partner: string) => `If you still need something from it, please ask ${partner}.`,
    },
  },
  unavailable: {
    title: 'We cannot reach your import at the moment',
    meaning:
      'Either our service does not answer, or your internet connection is down. Your data is not affected by this.',
    retrying: 'We try again every few seconds. This page continues by itself as soon as there is an answer.',
    tryNow: 'Try now',
    trying: 'Trying…',
  },
  cookiesRefused: {
    title: 'Your browser did not keep our cookie',
    meaning:
      'This page needs one cookie, to remember that you came with the right link. It is used for nothing else. Your data is not affected by this.',
    advice: 'Please allow cookies for this site, then open the import from the app that sent you here again.',
  },
}

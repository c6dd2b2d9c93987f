export const people = {
  title: 'Match people',
  intro: (source: string, destination: string) =>
    `Choose the ${destination} account of each person in ${source}. We match by e-mail address. Where only the name is alike, you decide.`,
  open: (count: string, destination: string, isOne: boolean) =>
    isOne
      ? `${count} person has no ${destination} account yet. Records that name them arrive without that name.`
      : `${count} people have no ${destination} account yet. Records that name them arrive without these names.`,
  applies: {
    plan: 'Your choice applies from the next run on.',
    sample: 'Your choice applies from the next run on. Repeat the sample to see it.',
    done: 'Copied records stay unchanged until you apply your choice to them. That assigns their owners anew and copies nothing twice. Before that, we read the people of both tools again.',
  },
  repeatSample: 'Repeat the sample',
  applyNow: 'Apply to copied records',
  starting: 'Starting…',
  defaultUser: 'Replacement for everyone without a match',
  nobody: 'Nobody: the name is left out',
  inviteLater: 'Invite later: the record keeps the name',
  inviteAll: (count: string, isOne: boolean) =>
    isOne ? `Keep ${count} name, invite later` : `Keep all ${count} names, invite later`,
  toInvite: (count: string, destination: string, isOne: boolean) =>
    isOne
      ? `You invite ${count} person later. Everyone who reads a record sees the name in it. Once invited in ${destination}, the person is matched by e-mail address.`
      : `You invite ${count} people later. Everyone who reads a record sees the name in it. Once invited in ${destination}, they are matched by e-mail address.`,
  becomesOf: (name: string) => `Account of ${name}`,
  matched: 'same e-mail address',
  chosen: 'chosen by you',
  suggestion: (name: string) => `Similar name: ${name}`,
  useSuggestion: 'Yes, the same person',
  unmatched: 'no match',
  leftEmpty: 'left out by you',
  nameKept: 'to be invited later; the records keep the name',
  namedIn: (count: string, isOne: boolean) => (isOne ? `named in ${count} record` : `named in ${count} records`),
  namedInNone: 'named in no record that we read',
  unlisted: 'no longer listed in the source',
  unnamed: (id: string) => `Person ${id}`,
  change: 'Change',
  inactive: 'inactive',
  onlyOpen: 'Only people without a match',
  select: (name: string) => `Select ${name}`,
  selectAll: (count: string) => `Select all ${count} shown without a match`,
  forSelected: (count: string, isOne: boolean) =>
    isOne ? `For the ${count} selected person` : `For the ${count} selected people`,
  apply: 'Use for all selected',
  acceptAll: (count: string) => `Accept all ${count} suggestions`,
  saving: 'Saving…',
  none: 'There is nobody to match.',
  all: 'Everybody has a match.',
  search: 'Search people',
}

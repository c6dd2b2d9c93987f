export const connect = {
  title: 'Connect both accounts',
  titleOne: (account: string) => `Connect ${account}`,
  titleAgain: 'Your two accounts',
  intro: (source: string) =>
    `At this step we only read. Nothing is copied before you have seen the plan. Nothing in ${source} is ever changed or deleted.`,
  introAgain: (source: string) =>
    `If a password or key has changed, connect the account again. The import then goes on by itself. Nothing in ${source} is ever changed or deleted.`,
  otherAccount: {
    heading: 'This looks like another account',
    words: (destination: string) =>
      `${destination} holds records of the account that was connected before. Records of two accounts must not mix. Nothing was changed. To use another account, undo the import first.`,
    same: 'It is the same account at a new address',
    undo: 'Undo first',
  },
  from: 'From',
  to: 'To',
  example: (text: string) => `Example: ${text}`,
  openPage: (tool: string) => `Open the page in ${tool}`,
  oauth: {
    signIn: (tool: string) => `Sign in to ${tool}`,
    goingTo: (tool: string) => `Going to ${tool}…`,
    goes: (tool: string) => `You sign in on ${tool}’s own page and come back here. We never see your password.`,
    where: 'Where is your account?',
    byKey: 'Use an API key instead',
    bySignIn: (tool: string) => `Sign in to ${tool} instead`,
    endHeading: 'You are not signed in yet',
    nothingChanged: 'Nothing was changed.',
    ends: {
      denied: (tool: string) => `You did not allow access in ${tool}. If that was a mistake, sign in once more.`,
      expired: () => 'That sign-in was too old, or was used before. Please sign in once more.',
      refused: (tool: string) =>
        `${tool} let you in, but does not show us the account. Please sign in as someone who may see everything.`,
      other_account: (tool: string) =>
        `This is another ${tool} account than before. Records of two accounts must not mix. Sign in to the earlier account, or undo the import first.`,
      scopes: (tool: string, scopes: string) =>
        `${tool} did not give us every permission that the import needs. Missing: ${scopes}. Please sign in once more and allow everything. If ${tool} offers no such choice, tell support these names.`,
      not_set_up: (tool: string) =>
        `${tool} does not accept this service at the moment. We have to fix this. Support can tell you more.`,
      unavailable: (tool: string) => `${tool} did not answer. Please try again in a while.`,
    } as Record<string, (tool: string, scopes: string) => string>,
  },
  show: 'Show',
  hide: 'Hide',
  submit: 'Connect',
  checking: 'Signing in…',
  connected: 'Connected',
  connectedAs: (name: string) => `Connected: ${name}`,
  change: 'Connect another account',
  changeUpload: 'Upload other files',
  keepThis: 'Keep the one that is connected',
  given: (partner: string) =>
    `${partner} has given us this account along with the import. Please confirm that it is the right one.`,
  confirm: 'Yes, connect it',
  other: 'Use another account',
  refused: 'We could not sign in',
  refusedMeaning: 'Nothing was changed, and we did not keep your entries.',
  blank: 'Please fill this in.',
  notAllowed: 'We are not allowed to connect to this address. Please check it, or ask support.',
  kept: 'We store your entries encrypted, use them for this import only, and erase them when it ends.',
  next: 'Once both are connected, we read your data and show you a plan.',
}

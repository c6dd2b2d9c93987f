export const full = {
  title: 'The full migration',
  intro: (source: string, destination: string) =>
    `Everything in your plan is copied from ${source} to ${destination}. The sample that is there already is kept and completed.`,
  titleByItself: 'Preparing the full migration',
  introByItself: (source: string, destination: string) =>
    `We first look at what there is in ${source}. Then everything is copied to ${destination}; it starts by itself, and you need not wait here.`,
  seePlan: 'See the plan',
  willCopy: 'What will be copied',
  about: (count: string) => `about ${count} records`,
  whoPays: 'Who pays',
  accepted: (partner: string) => `${partner} pays. It costs you nothing.`,
  paid: 'It is paid for.',
  undecided: (partner: string) => `${partner} has not decided yet whether to pay for it.`,
  ask: (partner: string) => `Ask ${partner} to pay`,
  asking: 'Asking …',
  asked: (partner: string, when: string) =>
    `You asked ${partner} on ${when}. As soon as there is an answer, this page shows it; you may close it meanwhile.`,
  rejected: (partner: string) => `${partner} does not pay for it, so you can buy it here.`,
  notYet: (partner: string) => `You can start once ${partner} has agreed to pay or you have paid.`,
  notPaid: 'You can start once it is paid.',
  start: 'Start the full migration',
  starting: 'Starting …',
  back: 'Back to the sample',
  plan: 'Look at the plan again',
  safe: (source: string) =>
    `Nothing in ${source} is changed or deleted. You can pause at any time, and undo afterwards.`,
  safeNoUndo: (source: string) => `Nothing in ${source} is changed or deleted. You can pause at any time.`,
}

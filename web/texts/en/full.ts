export const full = {
  title: 'The full migration',
  intro: (source: string, destination: string) =>
    `Everything in your plan is copied from ${source} to ${destination}. The sample stays and is completed.`,
  titleByItself: 'Preparing the full migration',
  introByItself: (source: string, destination: string) =>
    `First we read ${source} and make a plan. Then we copy everything to ${destination}. The copy starts by itself, so you do not have to wait here.`,
  seePlan: 'See the plan',
  willCopy: 'What will be copied',
  about: (count: string) => `about ${count} records`,
  whoPays: 'Who pays',
  accepted: (partner: string) => `${partner} pays. It costs you nothing.`,
  paid: 'It is paid for.',
  undecided: (partner: string) => `${partner} has not decided yet whether to pay for it.`,
  ask: (partner: string) => `Ask ${partner} to pay`,
  asking: 'Asking…',
  asked: (partner: string, when: string) =>
    `You asked ${partner} on ${when}. This page shows the answer as soon as it is there. You may close the page until then.`,
  rejected: (partner: string) => `${partner} does not pay for it, so you can buy it here.`,
  notYet: (partner: string) => `You can start once ${partner} has agreed to pay or you have paid.`,
  notPaid: 'You can start once it is paid.',
  start: 'Start the full migration',
  starting: 'Starting…',
  back: 'Back to the sample',
  plan: 'Look at the plan again',
  safe: (source: string) =>
    `Nothing in ${source} is changed or deleted. You can pause at any time, and undo afterwards.`,
  safeNoUndo: (source: string) => `Nothing in ${source} is changed or deleted. You can pause at any time.`,
}

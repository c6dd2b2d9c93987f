export const messages = {
  title: 'Messages',
  intro: 'Our messages to you about this import, newest first.',
  introUnsent: 'This service sends no mail. Its messages to you are kept here, newest first.',
  noneUnsent:
    'This service sends no mail, so there are no messages. Come back to this page to see the status of the import.',
  none: 'There is no message yet. We write when the migration is done, when it needs you, and when an undo is done.',
  to: (address: string) => `to ${address}`,
  states: { waiting: 'Not sent yet', sent: 'Sent', given_up: 'Could not be sent' },
  unsent: 'Kept here',
  trouble: 'The mail server said',
  tellMe: {
    heading: 'Tell me when it is done',
    headingUnsent: 'When it is done',
    text: 'We also write if the import needs you. We send nothing else.',
    textUnsent:
      'This service sends no mail. Come back to this page to see the status of the import. It goes on while the page is closed.',
    label: 'Your e-mail address',
    invalid: 'Please enter one e-mail address, such as you@example.com.',
    submit: 'Tell me',
    submitting: 'Saving…',
    told: (address: string) => `We will write to ${address} when the import is done or needs you.`,
    change: 'Change the address',
    remove: 'Send no messages',
    removing: 'Removing…',
    keep: 'Keep it as it is',
  },
}

import type { messages as en } from '../en/messages.ts'

export const messages: typeof en = {
  title: 'Messages',
  intro: 'Nos messages à votre intention au sujet de cet import, le plus récent d’abord.',
  introUnsent: 'Ce service n’envoie pas d’e-mail. Ses messages sont gardés ici, le plus récent d’abord.',
  noneUnsent:
    'Ce service n’envoie pas d’e-mail : il n’y a donc pas de messages. Revenez sur cette page pour voir où en est l’import.',
  none: 'Il n’y a pas encore de message. Nous écrivons quand la migration est terminée, quand elle a besoin de vous et quand une annulation est terminée.',
  to: (address) => `à ${address}`,
  states: { waiting: 'Pas encore envoyé', sent: 'Envoyé', given_up: 'N’a pas pu être envoyé' },
  unsent: 'Gardé ici',
  trouble: 'Le serveur de messagerie a répondu',
  tellMe: {
    heading: 'Me prévenir à la fin',
    headingUnsent: 'À la fin',
    text: 'Nous écrivons aussi si l’import a besoin de vous. Nous n’envoyons rien d’autre.',
    textUnsent:
      'Ce service n’envoie pas d’e-mail. Revenez sur cette page pour voir où en est l’import. Il continue quand la page est fermée.',
    label: 'Votre adresse e-mail',
    invalid: 'Indiquez une seule adresse e-mail, par exemple vous@example.com.',
    submit: 'Me prévenir',
    submitting: 'Enregistrement…',
    told: (address) => `Nous écrivons à ${address} à la fin, ou si l’import a besoin de vous.`,
    change: 'Changer l’adresse',
    remove: 'Ne pas envoyer de messages',
    removing: 'Retrait…',
    keep: 'La laisser telle quelle',
  },
}

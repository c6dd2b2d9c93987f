import { formatAmount } from '../currency.ts'
import { localeOf } from '../languages.ts'
import type { MailTexts } from './templates.ts'

const day = (date: string) =>
  new Intl.DateTimeFormat(localeOf.fr, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
const count = (number: number) => number.toLocaleString(localeOf.fr)

export const french: MailTexts = {
  greeting: 'Bonjour,',
  reason: ({ partner }) =>
    `Vous recevez ce message parce que votre adresse a été indiquée pour cet import vers ${partner}. Vous pouvez la changer ou la retirer dans le portail de l’import.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Vos données sont arrivées dans ${destination}`,
    paragraphs: [
      `La migration depuis ${source} vers ${destination} est terminée : ${records < 2 ? `${records} enregistrement s’y trouve` : `${count(records)} enregistrements s’y trouvent`} maintenant.`,
      'Le rapport montre le résultat de chaque enregistrement, et ceux qui demandent votre attention.',
    ],
    action: 'Voir le rapport',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} ne nous laisse plus entrer. Veuillez reconnecter le compte.`
        : code === 'look_for_mail'
          ? `Nous avons d’abord copié un seul enregistrement. Veuillez vérifier si ${destination} a envoyé un e-mail à son sujet. Le reste attend que vous continuiez.`
          : code === 'source_page_failing'
            ? `${source} ne parvient toujours pas à fournir une page d’enregistrements. Demandez à la personne qui gère cet outil de réparer cela. Ou sautez la page : ses enregistrements sont laissés de côté, et tout le reste est copié.`
            : code === 'records_not_paid'
              ? `Il y a dans ${source} plus d’enregistrements que le nombre payé. Payez le reste, demandez au partenaire de le payer, ou terminez sans lui.`
              : 'L’import demande votre décision ou votre aide. Le portail dit quoi faire.'
    return {
      subject: `Votre migration vers ${destination} vous attend`,
      paragraphs: [
        `La migration depuis ${source} vers ${destination} ${code === 'source_page_failing' ? 'est bloquée' : 'est en pause'}.`,
        because,
        'Rien n’est perdu : la migration reprend là où elle s’est arrêtée.',
      ],
      action: 'Ouvrir l’import',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `La migration vers ${destination} a été annulée`,
    paragraphs: [
      `Nous avons retiré de ${destination} les enregistrements copiés. Rien n’a été modifié dans ${source}.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 enregistrement a été gardé' : `${count(kept)} enregistrements ont été gardés`}, par exemple à cause de modifications faites là-bas depuis. Le portail de votre import liste les enregistrements gardés.`,
          ]),
    ],
    action: 'Ouvrir l’import',
  }),
  receipt: ({ source, destination }, { amount, currency, package: name, invoice }) => ({
    subject: `Votre reçu pour la migration vers ${destination}`,
    paragraphs: [
      `Nous avons reçu ${formatAmount(amount, currency, 'fr')} pour la migration complète depuis ${source} vers ${destination}, forfait ${name}${invoice === null ? '' : `, facture ${invoice}`}. Merci.`,
      'Vous pouvez lancer la migration quand vous voulez.',
    ],
    action: 'Lancer la migration complète',
  }),
  invoice: ({ source, destination }, { amount, currency, number, due }) => ({
    subject: `Facture ${number} pour la migration vers ${destination}`,
    paragraphs: [
      `La facture ${number} de ${formatAmount(amount, currency, 'fr')} pour la migration complète depuis ${source} vers ${destination} est prête. Elle est à payer jusqu’au ${day(due)}.`,
      'Dès que l’argent est arrivé, vous pouvez commencer.',
    ],
    action: 'Télécharger la facture',
  }),
  refunded: ({ partner, destination }, { amount, currency, because }) => ({
    subject: `Remboursement de la migration vers ${destination}`,
    paragraphs: [
      `Nous avons remboursé ${formatAmount(amount, currency, 'fr')} par le moyen que vous aviez utilisé. Selon votre banque, cela prend quelques jours.`,
      ...(because === 'partner_pays' ? [`${partner} paie la migration.`] : []),
      ...(because === 'paid_twice' ? ['La migration avait déjà été payée.'] : []),
    ],
    action: 'Ouvrir l’import',
  }),
}

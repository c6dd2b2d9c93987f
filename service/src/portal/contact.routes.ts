import type { FastifyInstance } from 'fastify'
import { ValidationError } from '../errors.ts'
import { languages } from '../languages.ts'
import { listMailsOfImport } from '../mail/list-mails.ts'
import { findContact, setContact, setLanguage } from '../mail/set-contact.ts'
import { isMailAddress } from '../mail-address.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import type { PortalContact, PortalMessages } from './contract.ts'
import { seesMoney } from './keep-look-only.ts'
import type { PortalParts } from './portal-parts.ts'
import { readLanguage, readTexts } from './read-body.ts'

type WithId = { Params: { id: string } }

const mostMessages = 100

/** The person to tell by mail, and the mails sent so far. */
export function registerContactRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db, connectors, sendsMail } = parts
  const options = { schema: { hide: true }, bodyLimit: 4096 }

  app.get<WithId>('/portal/imports/:id/contact', options, async (request): Promise<PortalContact> => {
    const imp = await admitByCookie(parts, request)
    const contact = await findContact(db, imp.id)
    const { destination_username: name } = imp
    const suggested = name !== null && isMailAddress(name) ? name : null
    return { address: contact?.address ?? null, suggested, is_sent: sendsMail }
  })

  app.put<WithId>('/portal/imports/:id/contact', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const { address, language } = readTexts(request.body, ['address', 'language'])
    const known = readLanguage(language)
    await setContact(db, importId, address === null ? null : { address, language: known })
    return reply.code(204).send()
  })

  app.put<WithId>('/portal/imports/:id/language', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const { language } = readTexts(request.body, ['language'])
    if (language === null) throw new ValidationError({ language: [`must be one of ${languages.join(', ')}`] })
    await setLanguage(db, importId, readLanguage(language))
    return reply.code(204).send()
  })

  app.get<WithId>('/portal/imports/:id/messages', options, async (request): Promise<PortalMessages> => {
    const imp = await admitByCookie(parts, request)
    const mails = await listMailsOfImport(db, connectors, imp.id, mostMessages)
    return {
      is_sent: sendsMail,
      messages: mails
        .filter(({ template }) => maySee(imp.session, template))
        .map(({ id, created_at, to, subject, paragraphs, state, trouble }) => ({
          id,
          at: created_at.toISOString(),
          to,
          subject,
          paragraphs,
          state,
          trouble,
        })),
    }
  })
}

/** Mails that name amounts. */
const aboutMoney = ['receipt', 'invoice', 'refunded']
const maySee = (session: Parameters<typeof seesMoney>[0], template: string) =>
  seesMoney(session) || !aboutMoney.includes(template)

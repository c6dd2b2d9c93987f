import type { Connector } from '../connectors/contract.ts'
import { nameTool } from '../imports/name-tool.ts'
import type { Language } from '../languages.ts'
import { escapeHtml } from '../text/render-html.ts'
import { isMailTemplate, type MailTexts, type MailWords, mailTexts } from './templates.ts'

export interface StoredMail {
  template: string
  language: Language
  values: Record<string, unknown>
  partner_name: string
  source_tool: string
  destination_tool: string
}

export interface ComposedMail {
  subject: string
  /** What it has to say, without greeting, link and reason. */
  paragraphs: string[]
  text: string
  html: string
}

/** The words of a mail, as plain text and as simple HTML. `link` opens the import; without it, it is left out. */
export function composeMail(mail: StoredMail, connectors: readonly Connector[], link: string | null): ComposedMail {
  const { partner_name: partner } = mail
  const facts = {
    partner: oneLine(partner),
    source: oneLine(nameTool(connectors, mail.source_tool, partner)),
    destination: oneLine(nameTool(connectors, mail.destination_tool, partner)),
  }
  const texts = mailTexts[mail.language]
  const { subject, paragraphs, action } = wordsOf(texts, mail, facts)
  const reason = texts.reason(facts)
  const text = [texts.greeting, ...paragraphs, ...(link === null ? [] : [`${action}: ${link}`]), `--\n${reason}`]
  const html = [
    ...[texts.greeting, ...paragraphs].map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(link === null ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`]),
    `<p><small>${escapeHtml(reason)}</small></p>`,
  ]
  const head = `<!doctype html><html lang="${mail.language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`
  return { subject, paragraphs, text: `${text.join('\n\n')}\n`, html: `${head}<body>${html.join('')}</body></html>` }
}

function wordsOf(texts: MailTexts, { template, values }: StoredMail, facts: Parameters<MailTexts['reason']>[0]) {
  if (!isMailTemplate(template)) throw new Error(`there is no mail called ${template}`)
  // The values were typed by the template when they were kept.
  return (texts[template] as (...args: unknown[]) => MailWords)(facts, values)
}

/** Names come from partners: none may begin a line of its own, least of all in the head of a message. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()

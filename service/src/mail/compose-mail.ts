import type { Connector } from '../connectors/contract/contract.ts'
import { nameTool } from '../connectors/kit/name-tool.ts'
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
  /** The message itself, without greeting, link and reason. */
  paragraphs: string[]
  text: string
  html: string
}

/** The mail as plain text and as simple HTML. `link` opens the import; null leaves the link out. */
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
  // The template typed the values when they were stored.
  return (texts[template] as (...args: unknown[]) => MailWords)(facts, values)
}

/** Partners choose names, so none may begin a new line, least of all in the head of a message. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()

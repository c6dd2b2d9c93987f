import { type Language, localeOf } from '../languages.ts'
import type { Certificate, CertifiedAct, SignedCertificate } from './certificate.ts'
import { certificateWords } from './certificate-words.ts'

/** A page of its own, without scripts: for paper, and for people who do not read JSON. */
export function printCertificate(
  { certificate, signature }: SignedCertificate,
  { language, keysUrl }: { language: Language; keysUrl: string },
): string {
  const words = certificateWords[language]
  const { run, service, tools, compared, deletions } = certificate
  const number = (value: number) => value.toLocaleString(localeOf[language])
  const moment = (at: string) =>
    new Date(at).toLocaleString(localeOf[language], { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })
  const who = ({ by, visitor, at }: CertifiedAct) =>
    `${by}${visitor === null ? '' : ` (${visitor})`}, ${moment(at)} UTC`
  const facts: [string, string][] = [
    [words.importId, certificate.import],
    [words.runId, `${run.id}, ${words.kinds[run.kind] ?? run.kind}`],
    [words.tools, `${tools.source} → ${tools.destination} (${tools.family})`],
    [words.service, `${service.name} ${service.version}`],
    [words.started, `${moment(run.started_at)} UTC`],
    [words.finished, `${moment(run.finished_at)} UTC`],
    [words.startedBy, certificate.started ? who(certificate.started) : words.nobody],
    [words.approvedBy, certificate.approved.map(who).join('; ') || words.nobody],
  ]
  const removed = [deletions.removed_by_import, deletions.deleted_in_destination, deletions.gone_from_source] as const
  const [byImport = '', byPeople = '', gone = ''] = removed.map(number)
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${inHtml(words.title)} ${inHtml(certificate.import)}</title>
<style>
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #000; background: #fff }
table { width: 100%; border-collapse: collapse } th, td { padding: .25rem .5rem; border-bottom: 1px solid #ccc; text-align: left; vertical-align: top }
td.n { text-align: right; font-variant-numeric: tabular-nums } code { overflow-wrap: anywhere }
</style>
<h1>${inHtml(words.title)}</h1>
<table>${facts.map(([name, value]) => `<tr><th scope="row">${inHtml(name)}</th><td>${inHtml(value)}</td></tr>`).join('')}</table>
<h2>${inHtml(words.records)}</h2>
${table([words.kind, words.outcome, words.all, words.ofThisRun], rowsOf(certificate), number)}
<p>${inHtml(words.compared(number(compared.records), number(compared.agree), number(compared.differ)))}</p>
<p><code>SHA-256 ${inHtml(compared.sha256)}</code></p>
<p>${inHtml(words.deletions(byImport, byPeople, gone))}</p>
<h2>${inHtml(words.exceptions)}</h2>
${
  certificate.exceptions.length === 0
    ? `<p>${inHtml(words.none)}</p>`
    : table(
        [words.kind, words.outcome, words.all],
        certificate.exceptions.map(({ entity, code, count }) => [entity, code, count]),
        number,
      )
}
<h2>${inHtml(words.signature)}</h2>
<p>${inHtml(words.howTo)} <code>${inHtml(keysUrl)}</code></p>
<p><code>${inHtml(signature)}</code></p>
</html>
`
}

const rowsOf = ({ records }: Certificate) =>
  records.flatMap(({ entity, outcomes, of_this_run }) =>
    Object.entries(outcomes).map(([outcome, count]) => [entity, outcome, count, of_this_run[outcome] ?? 0]),
  )

function table(heads: string[], rows: (string | number)[][], number: (value: number) => string): string {
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<td class="n">${number(value)}</td>` : `<td>${inHtml(value)}</td>`
  const head = heads.map((name) => `<th scope="col">${inHtml(name)}</th>`).join('')
  return `<table><tr>${head}</tr>${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}</table>`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const inHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')

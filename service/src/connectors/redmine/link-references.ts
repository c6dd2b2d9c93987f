/** What an author wrote to be shown as it is, and what is a link already. Each ends by itself or with the text. */
const literals = {
  textile: String.raw`<pre[\s\S]*?(?:<\/pre>|$)|<code[\s\S]*?(?:<\/code>|$)|@[^@\n]+@|"[^"\n]*":\S+|https?:\/\/\S+`,
  markdown: String.raw`~~~[\s\S]*?(?:~~~|$)|\`\`\`[\s\S]*?(?:\`\`\`|$)|\`[^\`\n]*\`|\[[^\][\n]*\]\([^)\n]*\)|https?:\/\/\S+`,
}
const issue = String.raw`(?<=^|[\s(])##?(?<issue>\d{1,9})(?:-\d+|#note-\d+)?(?=[\s).,;:!?]|$)`
const page = String.raw`\[\[(?<project>[a-z0-9_-]{1,100}):(?<page>[^\]|\n#]{1,255})(?:\|(?<label>[^\]\n]{1,255}))?\]\]`

const patterns = {
  textile: new RegExp(`${literals.textile}|${issue}|${page}`, 'g'),
  markdown: new RegExp(`${literals.markdown}|${issue}|${page}`, 'g'),
}

/**
 * `#12` and `[[project:Page]]` mean something only in the instance they were written in: elsewhere the number is
 * another issue's. As links they are carried over with everything else that is linked.
 */
export function linkReferences(text: string, format: 'textile' | 'markdown', base: string): string {
  const link = (label: string, url: string) => (format === 'textile' ? `"${label}":${url}` : `[${label}](${url})`)
  return text.replace(patterns[format], (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    if (groups.issue !== undefined) return link(found, `${base}/issues/${groups.issue}`)
    if (groups.project === undefined || groups.page === undefined) return found
    const title = encodeURIComponent(toWikiTitle(groups.page))
    const label = (groups.label ?? groups.page).replaceAll('"', '')
    return link(label, `${base}/projects/${groups.project}/wiki/${title}`)
  })
}

/** As Redmine itself makes addresses of titles. */
export function toWikiTitle(name: string): string {
  const plain = name
    .replace(/\s+/g, '_')
    .replace(/[,./?;|:]/g, '')
    .trim()
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

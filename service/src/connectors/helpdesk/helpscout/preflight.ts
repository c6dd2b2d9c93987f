import type { PreflightCheck } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { preflightCheck, tell } from '../../kit/preflight-check.ts'
import type { Inbox } from './look-around.ts'

/** Articles can be written only if the account has a Docs site. */
export function checkBeforehand(
  [first]: readonly Inbox[],
  site: RawRecord | null,
  hasDocsKey: boolean,
): PreflightCheck[] {
  return [
    preflightCheck('inbox', first !== undefined, true, {
      fine: `Tickets go to the inbox "${first?.name}", unless the mapping names another one.`,
      amiss: 'The user sees no inbox of Help Scout, so there is no place for tickets.',
      fix: 'Give the user access to an inbox in Help Scout, and check again.',
    }),
    ...(site ? tellOfDocs(site) : [noDocs(hasDocsKey)]),
  ]
}

const tellOfDocs = ({ title }: RawRecord): PreflightCheck[] => [
  tell('docs_site', `Collections and articles go to the Docs site "${title}".`),
  tell(
    'article_authors',
    'Help Scout gives articles the time of their arrival, and the user of the key as their author. Views and ratings are not copied.',
  ),
  tell(
    'article_names',
    'Names of articles are unique in a collection. The second article of one name gets a number behind it.',
  ),
  tell(
    'article_places',
    'Help Scout has collections and categories, and nothing below. Categories further inside become categories of the collection.',
  ),
  tell(
    'shelf_readers',
    'Everyone can see the names of new collections and categories. Articles for agents go to private categories.',
  ),
  tell(
    'article_files',
    'Help Scout lists no files under an article. A line at the end of the text links to each of them.',
  ),
]

const noDocs = (hasKey: boolean): PreflightCheck =>
  hasKey
    ? tell(
        'docs_key',
        'This Help Scout has no Docs site, or the user of the key may not see it. Categories and articles are not copied.',
        'To copy them, make a Docs site in Help Scout, and check again.',
      )
    : tell(
        'docs_key',
        'Without a Docs API key, categories and articles are not copied.',
        'To copy them, connect Help Scout again with a Docs API key.',
      )

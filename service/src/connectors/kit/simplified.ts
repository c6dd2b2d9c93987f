import * as tags from '../../text/has-other-tags.ts'
import { runBeside } from '../../threads/run-beside.ts'
import type { WriteLoss } from '../../warnings/codes.ts'

const beside = runBeside(new URL('../../text/has-other-tags.ts', import.meta.url).href, tags)

/** The loss of a comment whose text has other tags than those that the tool keeps (`p br a`). */
export const simplified = async (html: string, kept: string): Promise<WriteLoss[]> =>
  (await beside('hasOtherTags', html, kept)) ? ['comment_simplified'] : []

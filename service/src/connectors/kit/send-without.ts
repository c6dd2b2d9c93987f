import type { WriteLoss } from '../../warnings/codes.ts'
import type { Sent } from './http.ts'
import type { RefusedAnswer } from './outcomes.ts'

type Body = Record<string, unknown>

/**
 * A part that may be dropped from a refused record: a pattern for the complaint, the part's fields, and the loss. If
 * the list of fields is empty, `send` itself drops the part when it sees the loss.
 */
export type Dispensable = readonly [about: RegExp, fields: readonly string[], loss: WriteLoss]

/** Sends a record. When the tool complains about a dispensable part, sends it again without that part. */
export async function sendWithout(
  body: Body,
  dispensable: readonly Dispensable[],
  isAbout: (sent: RefusedAnswer, about: RegExp) => boolean,
  send: (left: Body, losses: readonly WriteLoss[]) => Promise<Sent>,
): Promise<{ sent: Sent; losses: WriteLoss[] }> {
  const losses: WriteLoss[] = []
  let left = body
  for (;;) {
    const sent = await send(left, losses)
    if (sent.result === 'done') return { sent, losses }
    const isThere = (fields: readonly string[]) => fields.length === 0 || fields.some((name) => name in left)
    const drop = dispensable.find(
      ([about, fields, loss]) => isAbout(sent, about) && !losses.includes(loss) && isThere(fields),
    )
    if (!drop) return { sent, losses }
    const [, fields, loss] = drop
    left = Object.fromEntries(Object.entries(left).filter(([name]) => !fields.includes(name)))
    losses.push(loss)
  }
}
